package io.cle.spring.migration.internal;

import io.cle.CoordinatedLeaseLock;
import io.cle.InvalidConfigurationException;
import io.cle.OwnedLock;
import io.cle.ResourceLock;
import io.cle.Role;
import io.cle.migration.internal.NestedLock;
import io.cle.model.ObjectKey;
import io.cle.spring.FakeLock;
import io.cle.spring.MigrationFile;
import io.cle.spring.autoconfigure.CleAutoConfiguration;
import io.cle.spring.autoconfigure.CleKubernetesAutoConfiguration;
import io.cle.spring.autoconfigure.CleOnLeaderAutoConfiguration;
import io.cle.spring.lock.LeaseLocks;
import io.cle.spring.lock.internal.ConfiguredLeases;
import io.cle.spring.lock.internal.LeaseLockFactory;
import io.cle.spring.onleader.OnLeader;
import io.cle.spring.properties.internal.LeaseSettings;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

class MigrationConfigurationTests {

    static class Router {
        @OnLeader(controller = "route")
        void route() {}

        @OnLeader(controller = "cleanup")
        void cleanUp() {}
    }

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(CleAutoConfiguration.class, CleOnLeaderAutoConfiguration.class))
            .withBean(LeaseLockFactory.class, FakeLock::factory)
            .withBean(Router.class)
            .withPropertyValues("spring.application.name=orders", "cle.namespace=shop", "cle.identity=a");

    private final ApplicationContextRunner migrating =
            runner.withPropertyValues("cle.migration.enabled=true", MigrationFile.of("orders-to-billing", "route=*"));

    private static InvalidConfigurationException problem(Throwable failure) {
        Throwable cause = failure;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        assertThat(cause).isInstanceOf(InvalidConfigurationException.class);
        return (InvalidConfigurationException) cause;
    }

    @Test
    void withoutMigrationThereIsNoLeaseOfItAndAllControllersRunUnderTheMainLease() {
        runner.run(context -> {
            assertThat(context.getBean(LeaseLocks.class).names()).containsExactly("orders");
            LeaderMigration assignments = context.getBean(LeaderMigration.class);
            assertThat(assignments.leaseOf("route")).isEmpty();
            assertThat(assignments.runsHere("route")).isTrue();
        });
    }

    @Nested
    class MigrationLease {

        @Test
        void migrationLeaseInheritsWhatTheMigrationDoesNotSay() {
            migrating.withPropertyValues("cle.lease-duration=30s").run(context -> {
                LeaseSettings lease =
                        context.getBean(ConfiguredLeases.class).further().get(0);
                assertThat(lease.name()).isEqualTo("orders-to-billing");
                assertThat(lease.lease()).isEqualTo(new ObjectKey("shop", "orders-to-billing"));
                assertThat(lease.properties().resourceLock()).isEqualTo(ResourceLock.LEASES);
                assertThat(lease.identity()).isEqualTo("a");
                assertThat(lease.timings().leaseDuration()).hasSeconds(30);
            });
        }

        @Test
        void migrationLeaseHasTheResourceLockAndTheNamespaceOfTheMigration() {
            migrating
                    .withPropertyValues(
                            MigrationFile.ofYaml("{leaderName: orders-to-billing, resourceLock: coordinatedleases,"
                                    + " controllerLeaders: [{name: route, component: *}]}"),
                            "cle.migration.namespace=shared")
                    .run(context -> {
                        LeaseSettings lease = context.getBean(ConfiguredLeases.class)
                                .further()
                                .get(0);
                        assertThat(lease.properties().resourceLock()).isEqualTo(ResourceLock.COORDINATEDLEASES);
                        assertThat(lease.lease()).isEqualTo(new ObjectKey("shared", "orders-to-billing"));
                        assertThat(lease.identity()).isEqualTo("orders-to-billing-a");
                    });
        }

        @Test
        void migrationLeaseIsHeldWithinTheTermsOfTheMainLease() {
            migrating.run(context -> {
                LeaseLocks locks = context.getBean(LeaseLocks.class);
                CoordinatedLeaseLock migration = locks.get("orders-to-billing");
                assertThat(migration).isInstanceOf(NestedLock.class);
                ((OwnedLock) migration).start();
                assertThat(migration.snapshot().role()).isEqualTo(Role.STOPPED);
                ((FakeLock) locks.main()).grant();
                assertThat(migration.snapshot().role()).isEqualTo(Role.CANDIDATE);
            });
        }
    }

    @Nested
    class Controllers {

        @Test
        void controllersRunUnderTheMigrationLeaseIfItNamesThemElseUnderTheMainLease() {
            migrating.run(context -> {
                LeaderMigration assignments = context.getBean(LeaderMigration.class);
                assertThat(assignments.leaseOf("route")).contains("orders-to-billing");
                assertThat(assignments.leaseOf("cleanup")).isEmpty();
                assertThat(assignments.runsHere("cleanup")).isTrue();
            });
        }

        @Test
        void controllersDoNotRunInAComponentThatNoneIsAssignedTo() {
            migrating
                    .withPropertyValues(MigrationFile.of("orders-to-billing", "route=billing"))
                    .run(context -> {
                        assertThat(context.getBean(LeaseLocks.class).names()).containsExactly("orders");
                        assertThat(context.getBean(LeaderMigration.class).runsHere("route"))
                                .isFalse();
                    });
        }
    }

    @Nested
    class InvalidMigration {

        @Test
        void invalidMigrationFailsTheStartIfItIsNotEnabled() {
            runner.withPropertyValues("cle.migration.config-file=migration.yaml")
                    .run(context -> {
                        assertThat(context).hasFailed();
                        assertThat(problem(context.getStartupFailure()).property())
                                .isEqualTo("cle.migration.enabled");
                    });
        }

        @Test
        void invalidMigrationFailsTheStartIfNoBeanHasAControllerThatIsToRunHere() {
            migrating
                    .withPropertyValues(
                            MigrationFile.of("orders-to-billing", "route=*", "rout=orders", "invoice=billing"))
                    .run(context -> {
                        assertThat(context).hasFailed();
                        InvalidConfigurationException problem = problem(context.getStartupFailure());
                        assertThat(problem.getMessage())
                                .contains("controller 'rout'", "component 'orders'", "[cleanup, route]");
                        assertThat(problem.action()).contains("@OnLeader(controller = \"rout\")");
                    });
        }

        @Test
        void invalidMigrationIsNamedByTheSettingAsItWasWritten() {
            migrating.withPropertyValues("cle.migration.namespace=No_Namespace").run(context -> {
                assertThat(context).hasFailed();
                InvalidConfigurationException problem = problem(context.getStartupFailure());
                assertThat(problem.property()).isEqualTo("cle.migration.namespace");
            });
            migrating.withPropertyValues(MigrationFile.of("orders", "route=*")).run(context -> {
                assertThat(context).hasFailed();
                assertThat(problem(context.getStartupFailure()).getMessage())
                        .isEqualTo(
                                "cle.migration (orders): the lease shop/orders is already that of spring.application.name");
            });
        }

        @Test
        void invalidMigrationIsReportedIfAFurtherLeaseHasItsName() {
            migrating
                    .withPropertyValues("cle.leases.orders-to-billing.namespace=other")
                    .run(context -> {
                        assertThat(context).hasFailed();
                        assertThat(problem(context.getStartupFailure()).property())
                                .isEqualTo("cle.leases.orders-to-billing");
                    });
        }

        @Test
        void invalidMigrationIsReportedBeforeAClusterIsLookedFor() {
            new ApplicationContextRunner()
                    .withConfiguration(
                            AutoConfigurations.of(CleAutoConfiguration.class, CleKubernetesAutoConfiguration.class))
                    .withPropertyValues(
                            "spring.application.name=orders",
                            "cle.kubernetes.base-url=nowhere",
                            "cle.migration.enabled=true")
                    .run(context -> {
                        assertThat(context).hasFailed();
                        assertThat(problem(context.getStartupFailure()).property())
                                .isEqualTo("cle.migration.config-file");
                    });
        }
    }
}
