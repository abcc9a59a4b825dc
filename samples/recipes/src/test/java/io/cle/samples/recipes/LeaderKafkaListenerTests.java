package io.cle.samples.recipes;

import java.util.Map;

import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.annotation.EnableKafka;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.config.ConcurrentKafkaListenerContainerFactory;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;
import org.springframework.kafka.core.ConsumerFactory;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;
import org.springframework.kafka.listener.MessageListenerContainer;

import static org.assertj.core.api.Assertions.assertThat;

class LeaderKafkaListenerTests {

    @Test
    void aListenerConsumesOnTheLeaderOnly() {
        try (ConfigurableApplicationContext context = Standalone.run(Kafka.class)) {
            MessageListenerContainer container =
                    context.getBean(KafkaListenerEndpointRegistry.class).getListenerContainer("orders");
            Awaitility.await().until(container::isRunning);

            Standalone.resign(context);

            assertThat(container.isRunning()).isFalse();
        }
    }

    @EnableKafka
    @Configuration(proxyBeanMethods = false)
    static class Kafka {

        @Bean
        ConsumerFactory<String, String> consumerFactory() {
            return new DefaultKafkaConsumerFactory<>(Map.of()) {
                @Override
                protected Consumer<String, String> createRawConsumer(Map<String, Object> properties) {
                    return new MockConsumer<>("latest");
                }
            };
        }

        @Bean
        ConcurrentKafkaListenerContainerFactory<String, String> kafkaListenerContainerFactory(
                ConsumerFactory<String, String> consumers) {
            ConcurrentKafkaListenerContainerFactory<String, String> factory =
                    new ConcurrentKafkaListenerContainerFactory<>();
            factory.setConsumerFactory(consumers);
            return factory;
        }

        @Bean
        Orders orders() {
            return new Orders();
        }

        @Bean
        LeaderKafkaListener leadersOrders(KafkaListenerEndpointRegistry registry) {
            return new LeaderKafkaListener(registry, "orders");
        }
    }

    static class Orders {

        @KafkaListener(id = "orders", topics = "orders", autoStartup = "false")
        void on(String order) {}
    }
}
