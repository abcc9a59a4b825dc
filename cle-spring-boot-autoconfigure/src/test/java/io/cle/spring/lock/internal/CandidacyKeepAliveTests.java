package io.cle.spring.lock.internal;

import java.util.Map;

import io.cle.spring.FakeLock;
import io.cle.spring.lock.CleAutoConfiguration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

class CandidacyKeepAliveTests {

    @Test
    void anApplicationWithoutAWebServerKeepsRunningUntilItsContextCloses() {
        try (ConfigurableApplicationContext context = run()) {
            assertThat(context.isRunning()).isTrue();
            assertThat(isKeptAlive()).isTrue();
        }
        Awaitility.await().until(() -> !isKeptAlive());
    }

    @ParameterizedTest
    @ValueSource(strings = {"--cle.keep-alive=false", "--spring.main.keep-alive=false", "--cle.enabled=false"})
    void anApplicationThatDecidesByItselfHowLongItRunsIsNotKeptRunning(String property) {
        try (ConfigurableApplicationContext context = run(property)) {
            assertThat(context.isRunning()).isTrue();
            assertThat(isKeptAlive()).isFalse();
        }
    }

    private static boolean isKeptAlive() {
        return Thread.getAllStackTraces().keySet().stream()
                .anyMatch(thread -> thread.getName().equals("keep-alive") && !thread.isDaemon());
    }

    private static ConfigurableApplicationContext run(String... properties) {
        SpringApplication application = new SpringApplication(Application.class);
        application.setWebApplicationType(WebApplicationType.NONE);
        application.setDefaultProperties(Map.of("spring.application.name", "orders"));
        return application.run(properties);
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration(CleAutoConfiguration.class)
    static class Application {

        @Bean
        LeaseLockFactory locks() {
            return FakeLock.factory();
        }
    }
}
