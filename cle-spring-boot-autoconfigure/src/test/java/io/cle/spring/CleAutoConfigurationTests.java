package io.cle.spring;

import java.util.List;
import java.util.Map;
import java.util.Properties;

import io.cle.CoordinatedLeaseLock;
import io.cle.InvalidConfigurationException;
import io.cle.kubernetes.KubernetesAccess;
import io.cle.kubernetes.NoClusterConfigurationException;
import io.cle.kubernetes.internal.transport.KubernetesTransport;
import io.cle.lock.internal.LeaseLock;
import io.cle.model.Version;
import io.cle.spring.autoconfigure.CleAutoConfiguration;
import io.cle.spring.autoconfigure.CleEventsAutoConfiguration;
import io.cle.spring.autoconfigure.CleKubernetesAutoConfiguration;
import io.cle.spring.kubernetes.internal.KubernetesLeaseLockFactory;
import io.cle.spring.lock.LeaseLocks;
import io.cle.spring.lock.internal.ConfiguredLeases;
import io.cle.spring.lock.internal.LeaseLockFactory;
import io.cle.spring.lock.internal.Leases;
import io.cle.spring.lock.internal.StandaloneLeaseLockFactory;
import io.cle.spring.properties.internal.LeaseSettings;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.info.BuildProperties;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

class CleAutoConfigurationTests {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    CleAutoConfiguration.class, CleEventsAutoConfiguration.class, CleKubernetesAutoConfiguration.class))
            .withUserConfiguration(User.class)
            .withPropertyValues("spring.application.name=orders");

    private final ApplicationContextRunner faking = runner.withBean(LeaseLockFactory.class, FakeLock::factory);

    private final ApplicationContextRunner atBaseUrl =
            runner.withPropertyValues("cle.kubernetes.base-url=http://127.0.0.1:1");

    /** A bean that uses the default lease. */
    @Configuration(proxyBeanMethods = false)
    static class User {
        User(CoordinatedLeaseLock lock) {}
    }

    @Nested
    class MainLock {

        @Test
        void mainLockIsOnALeaseInTheCluster() {
            atBaseUrl.run(context -> {
                assertThat(context).hasSingleBean(LeaseLock.class);
                assertThat(context.getBean(CoordinatedLeaseLock.class).name()).isEqualTo("orders");
                assertThat(context.getBean(LeaseLockFactory.class)).isInstanceOf(KubernetesLeaseLockFactory.class);
            });
        }

        @Test
        void mainLockLeadsWithoutAClusterInStandaloneMode() {
            runner.withPropertyValues("cle.mode=standalone").run(context -> {
                assertThat(context).hasSingleBean(StandaloneLeaseLockFactory.class);
                assertThat(context.getBeanFactory().containsSingleton("cleKubernetesAccess"))
                        .isFalse();
            });
        }
    }

    @Nested
    class BeanOfTheUsersOwn {

        @Test
        void beanOfTheUsersOwnIsUsedIfItIsALock() {
            FakeLock own = new FakeLock("mine");
            runner.withBean("own", CoordinatedLeaseLock.class, () -> own).run(context -> {
                assertThat(context).getBean(CoordinatedLeaseLock.class).isSameAs(own);
                assertThat(context.getBean(LeaseLocks.class).asMap()).containsOnlyKeys("mine");
            });
        }

        @Test
        void beanOfTheUsersOwnIsUsedIfItIsALockFactory() {
            faking.run(context -> {
                assertThat(context.getBean(CoordinatedLeaseLock.class)).isInstanceOf(FakeLock.class);
                assertThat(context)
                        .doesNotHaveBean(KubernetesAccess.class)
                        .doesNotHaveBean(KubernetesTransport.class)
                        .hasSingleBean(LeaseLockFactory.class);
            });
            faking.withPropertyValues("cle.mode=standalone")
                    .run(context -> assertThat(context).hasSingleBean(LeaseLockFactory.class));
        }

        /** The configured settings apply only to locks that the starter creates. */
        @Test
        void beanOfTheUsersOwnHasNoSettingsIfItIsTheLocks() {
            faking.run(context -> assertThat(
                            context.getBean(Leases.class).get("orders").settings())
                    .isNotNull());
            faking.withBean(LeaseLocks.class, () -> LeaseLocks.of(new FakeLock("orders"), Map.of()))
                    .run(context -> assertThat(
                                    context.getBean(Leases.class).get("orders").settings())
                            .isNull());
        }

        @Test
        void beanOfTheUsersOwnIsUsedIfItIsTheAccessToTheCluster() {
            KubernetesAccess own = KubernetesAccess.at("http://127.0.0.1:2");
            runner.withBean(KubernetesAccess.class, () -> own)
                    .run(context ->
                            assertThat(context).getBean(KubernetesAccess.class).isSameAs(own));
        }
    }

    @Nested
    class FurtherLeases {

        @Test
        void furtherLeasesHaveLocksOfTheirOwn() {
            faking.withPropertyValues("cle.leases.reports.namespace=office", "cle.leases.mail.lease-name=post")
                    .withUserConfiguration(Injected.class)
                    .run(context -> {
                        Injected.Locks injected = context.getBean(Injected.Locks.class);
                        assertThat(injected.main().name()).isEqualTo("orders");
                        assertThat(injected.reports().name()).isEqualTo("reports");
                        LeaseLocks locks = context.getBean(LeaseLocks.class);
                        assertThat(locks.names()).startsWith("orders").containsOnly("orders", "mail", "reports");
                        assertThat(locks.get("reports")).isSameAs(injected.reports());
                        assertThat(locks.get("mail").name()).isEqualTo("post");
                        assertThat(context.getBeansOfType(CoordinatedLeaseLock.class))
                                .hasSize(3);
                    });
        }

        @Test
        void furtherLeasesLeaveALockOfTheUsersOwnInItsPlace() {
            FakeLock own = new FakeLock("mine");
            faking.withPropertyValues("cle.leases.reports.namespace=office")
                    .withBean("own", CoordinatedLeaseLock.class, () -> own)
                    .run(context -> {
                        assertThat(context.getBean(CoordinatedLeaseLock.class)).isSameAs(own);
                        assertThat(context.getBean(LeaseLocks.class).names()).containsExactly("mine", "reports");
                    });
        }
    }

    @Nested
    class Defaults {

        @Test
        void defaultsTakeTheVersionFromTheBuildInfoElseFromTheManifest() {
            Properties build = new Properties();
            build.setProperty("version", "2.1.0");
            ApplicationContextRunner withManifest = faking.withPropertyValues("spring.application.version=2.0");
            withManifest.run(context ->
                    assertThat(version(context.getBean(ConfiguredLeases.class))).isEqualTo(Version.parse("2.0.0")));
            withManifest
                    .withBean(BuildProperties.class, () -> new BuildProperties(build))
                    .run(context -> assertThat(version(context.getBean(ConfiguredLeases.class)))
                            .isEqualTo(Version.parse("2.1.0")));
            withManifest
                    .withPropertyValues("cle.candidate.binary-version=3.0.0")
                    .run(context -> assertThat(version(context.getBean(ConfiguredLeases.class)))
                            .isEqualTo(Version.parse("3.0.0")));
        }

        private static Version version(ConfiguredLeases leases) {
            return leases.main().config().candidacy().template().binaryVersion();
        }

        @Test
        void defaultsTakeTheNamespaceFromThePod() {
            faking.withPropertyValues("POD_NAMESPACE=office").run(context -> {
                LeaseSettings main = context.getBean(ConfiguredLeases.class).main();
                assertThat(main.lease().namespace()).isEqualTo("office");
            });
            faking.withPropertyValues("POD_NAMESPACE=office", "cle.namespace=shop")
                    .run(context -> {
                        LeaseSettings main =
                                context.getBean(ConfiguredLeases.class).main();
                        assertThat(main.lease().namespace()).isEqualTo("shop");
                    });
        }

        @Test
        void defaultsMakeTheIdentityOfTheHostNameAndFiveRandomCharacters() {
            faking.withPropertyValues("HOSTNAME=Orders-7f9c_x2k.local")
                    .run(context -> assertThat(context.getBean(ConfiguredLeases.class)
                                    .main()
                                    .identity())
                            .matches("orders-orders-7f9c-x2k-local-[a-z0-9]{5}"));
        }
    }

    @Nested
    class FailedStart {

        @Test
        void failedStartIsCausedByAConfigurationThatContradictsItself() {
            atBaseUrl
                    .withPropertyValues("cle.renew-deadline=20s")
                    .run(context -> assertThat(context)
                            .getFailure()
                            .rootCause()
                            .isInstanceOf(InvalidConfigurationException.class)
                            .hasMessageContaining("cle.renew-deadline (20s)")
                            .hasMessageContaining("cle.lease-duration (15s)"));
        }

        @Test
        void failedStartReportsAContradictionBeforeAClusterIsLookedFor() {
            runner.withPropertyValues("cle.kubernetes.base-url=nowhere", "cle.renew-deadline=20s")
                    .run(context -> assertThat(context)
                            .getFailure()
                            .rootCause()
                            .isInstanceOf(InvalidConfigurationException.class));
        }

        @Test
        void failedStartIsCausedByTwoLeasesThatAreTheSameAlsoInAnApplicationWithLocksOfItsOwn() {
            faking.withBean(CoordinatedLeaseLock.class, () -> new FakeLock("mine"))
                    .withBean(
                            LeaseLocks.class,
                            () -> LeaseLocks.of(new FakeLock("mine"), Map.of("reports", new FakeLock("reports"))))
                    .withPropertyValues("cle.leases.reports.lease-name=orders")
                    .run(context -> assertThat(context)
                            .getFailure()
                            .isInstanceOf(InvalidConfigurationException.class)
                            .hasMessageContaining("is already that of"));
        }

        @Test
        void failedStartIsCausedByAMalformedAddress() {
            runner.withPropertyValues("cle.kubernetes.base-url=nowhere")
                    .run(context -> assertThat(context)
                            .getFailure()
                            .rootCause()
                            .isInstanceOf(NoClusterConfigurationException.class));
        }

        @Test
        void failedStartIsCausedByABeanThatUsesTheLock() {
            atBaseUrl
                    .withUserConfiguration(FailsWithItsLock.class)
                    .run(context -> assertThat(context)
                            .getFailure()
                            .rootCause()
                            .hasMessage("thrown by a bean that uses the lock orders"));
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Injected {

        record Locks(CoordinatedLeaseLock main, CoordinatedLeaseLock reports, List<CoordinatedLeaseLock> all) {}

        @Bean
        Locks locks(
                CoordinatedLeaseLock main,
                @Qualifier("reports") CoordinatedLeaseLock reports,
                List<CoordinatedLeaseLock> all) {
            return new Locks(main, reports, all);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class FailsWithItsLock {

        @Bean
        Object failing(CoordinatedLeaseLock lock) {
            throw new IllegalStateException("thrown by a bean that uses the lock " + lock.name());
        }
    }
}
