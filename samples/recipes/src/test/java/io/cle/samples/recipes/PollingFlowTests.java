package io.cle.samples.recipes;

import java.util.function.BooleanSupplier;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.integration.config.EnableIntegration;
import org.springframework.integration.support.SmartLifecycleRoleController;

import static org.assertj.core.api.Assertions.assertThat;

class PollingFlowTests {

    @Test
    void aSourceInTheRoleIsPolledByTheLeaderOnly() {
        try (ConfigurableApplicationContext context = Standalone.run(Flow.class)) {
            PollingFlow flow = context.getBean(PollingFlow.class);
            Awaitility.await().until(() -> flow.received().size() > 1);

            Standalone.resign(context);

            BooleanSupplier stopped =
                    () -> context.getBean(SmartLifecycleRoleController.class).noEndpointsRunning("numbers");
            assertThat(stopped.getAsBoolean()).isTrue();
        }
    }

    @EnableIntegration
    @Configuration(proxyBeanMethods = false)
    static class Flow {

        @Bean
        PollingFlow flow(SmartLifecycleRoleController roles) {
            return new PollingFlow(roles);
        }
    }
}
