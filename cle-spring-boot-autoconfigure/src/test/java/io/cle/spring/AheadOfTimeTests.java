package io.cle.spring;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

import io.cle.runtime.CoordinatedLeaseLock;
import io.cle.spring.actuate.CleEndpointAutoConfiguration;
import io.cle.spring.actuate.CleHealthAutoConfiguration;
import io.cle.spring.actuate.CleInfoAutoConfiguration;
import io.cle.spring.actuate.CleMetricsAutoConfiguration;
import io.cle.spring.event.CleEventsAutoConfiguration;
import io.cle.spring.kubernetes.CleKubernetesAutoConfiguration;
import io.cle.spring.lock.CleAutoConfiguration;
import io.cle.spring.lock.CleDisabledAutoConfiguration;
import io.cle.spring.lock.CleStandaloneAutoConfiguration;
import io.cle.spring.lock.LeaseLockFactory;
import io.cle.spring.lock.LeaseLocks;
import io.cle.spring.lock.internal.ElectionLifecycle;
import io.cle.spring.onleader.CleOnLeaderAutoConfiguration;
import io.cle.spring.properties.InvalidCleConfigurationException;
import org.junit.jupiter.api.Test;
import org.springframework.aot.test.generate.TestGenerationContext;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.test.tools.CompileWithForkedClassLoader;
import org.springframework.core.test.tools.TestCompiler;
import org.springframework.javapoet.ClassName;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** The auto-configuration processed ahead of time, as {@code process-aot} does, compiled and started. */
class AheadOfTimeTests {

    private static final Map<String, Object> PROPERTIES = Map.of(
            "spring.application.name", "orders",
            "cle.leases.reports.namespace", "office");

    private static void processed(Consumer<GenericApplicationContext> started) {
        processed(PROPERTIES, started);
    }

    /** Processes an application with the properties of the build, and starts it with those of the run. */
    private static void processed(Map<String, Object> run, Consumer<GenericApplicationContext> started) {
        TestGenerationContext generated = new TestGenerationContext();
        try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
            addProperties(context.getEnvironment(), PROPERTIES);
            context.register(Application.class);
            ClassName initializer = new ApplicationContextAotGenerator().processAheadOfTime(context, generated);
            generated.writeGeneratedContent();
            TestCompiler.forSystem().with(generated).compile(compiled -> {
                try (GenericApplicationContext fresh = new GenericApplicationContext()) {
                    addProperties(fresh.getEnvironment(), run);
                    initializer(compiled.getInstance(ApplicationContextInitializer.class, initializer.toString()))
                            .initialize(fresh);
                    fresh.refresh();
                    started.accept(fresh);
                }
            });
        }
    }

    @SuppressWarnings("unchecked")
    private static ApplicationContextInitializer<GenericApplicationContext> initializer(
            ApplicationContextInitializer<?> generated) {
        return (ApplicationContextInitializer<GenericApplicationContext>) generated;
    }

    private static void addProperties(ConfigurableEnvironment environment, Map<String, Object> properties) {
        environment.getPropertySources().addFirst(new MapPropertySource("test", properties));
    }

    private static Map<String, Object> changed(String property, String value) {
        Map<String, Object> all = new HashMap<>(PROPERTIES);
        all.put(property, value);
        return all;
    }

    private static void isRefused(String property, String value, String reason) {
        assertThatThrownBy(() -> processed(changed(property, value), started -> {}))
                .rootCause()
                .isInstanceOf(InvalidCleConfigurationException.class)
                .hasMessageContaining(reason)
                .hasMessageContaining("processed ahead of time");
    }

    @Test
    @CompileWithForkedClassLoader
    void aChangedModeIsRefused() {
        isRefused("cle.mode", "standalone", "it was 'kubernetes'");
    }

    @Test
    @CompileWithForkedClassLoader
    void aSwitchedOffElectionIsRefused() {
        isRefused("cle.enabled", "false", "it was 'true'");
    }

    @Test
    @CompileWithForkedClassLoader
    void switchedOffEventsAreRefused() {
        isRefused("cle.events.enabled", "false", "it was 'true'");
    }

    @Test
    @CompileWithForkedClassLoader
    void aServiceThatLeadsToTheLeaderIsRefused() {
        isRefused("cle.leader-service.enabled", "true", "it was 'false'");
    }

    @Test
    @CompileWithForkedClassLoader
    void aFurtherLeaseIsRefused() {
        isRefused("cle.leases.invoices.namespace", "office", "it was 'reports'");
    }

    @Test
    @CompileWithForkedClassLoader
    void aChangedPropertyThatChoosesNoBeansIsUsed() {
        processed(
                changed("cle.lease-name", "others"),
                started -> assertThat(
                                started.getBean(CoordinatedLeaseLock.class).name())
                        .isEqualTo("others"));
    }

    @Test
    @CompileWithForkedClassLoader
    void theProcessedApplicationHasItsLocksAndTheirLifecycle() {
        processed(context -> {
            assertThat(context.getBean(CoordinatedLeaseLock.class).name()).isEqualTo("orders");
            assertThat(context.getBean("reportsCoordinatedLeaseLock", CoordinatedLeaseLock.class)
                            .name())
                    .isEqualTo("reports");
            assertThat(context.getBean(LeaseLocks.class).names()).containsExactly("orders", "reports");
            assertThat(context.getBean(ElectionLifecycle.class).isRunning()).isTrue();
        });
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({
        CleAutoConfiguration.class,
        CleDisabledAutoConfiguration.class,
        CleEndpointAutoConfiguration.class,
        CleEventsAutoConfiguration.class,
        CleHealthAutoConfiguration.class,
        CleInfoAutoConfiguration.class,
        CleKubernetesAutoConfiguration.class,
        CleMetricsAutoConfiguration.class,
        CleOnLeaderAutoConfiguration.class,
        CleStandaloneAutoConfiguration.class
    })
    static class Application {

        @Bean
        LeaseLockFactory factory() {
            return FakeLock.factory();
        }
    }
}
