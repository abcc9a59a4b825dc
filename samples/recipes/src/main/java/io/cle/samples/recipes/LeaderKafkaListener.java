package io.cle.samples.recipes;

import io.cle.spring.onleader.OnLeader;
import org.springframework.context.SmartLifecycle;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;
import org.springframework.kafka.listener.MessageListenerContainer;

/**
 * Kafka: the container of a {@code @KafkaListener(id = "orders", autoStartup = "false")} consumes on the leader only. It has stopped
 * before the lease is released, and a start that fails is tried again. A container that is a bean itself can't have {@code @OnLeader},
 * because its {@code start()} is final: start and stop it in the same way.
 */
@OnLeader
public class LeaderKafkaListener implements SmartLifecycle {

    private final KafkaListenerEndpointRegistry registry;
    private final String id;

    /**
     * Leads one listener.
     *
     * @param id the listener's, as in {@code @KafkaListener(id = ...)}
     */
    public LeaderKafkaListener(KafkaListenerEndpointRegistry registry, String id) {
        this.registry = registry;
        this.id = id;
    }

    @Override
    public void start() {
        container().start();
    }

    @Override
    public void stop() {
        container().stop();
    }

    @Override
    public boolean isRunning() {
        return container().isRunning();
    }

    private MessageListenerContainer container() {
        MessageListenerContainer container = registry.getListenerContainer(id);
        if (container == null) {
            throw new IllegalStateException("there is no @KafkaListener with the id '" + id + "'");
        }
        return container;
    }
}
