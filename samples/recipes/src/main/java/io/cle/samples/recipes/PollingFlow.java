package io.cle.samples.recipes;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

import org.springframework.integration.annotation.InboundChannelAdapter;
import org.springframework.integration.annotation.Poller;
import org.springframework.integration.annotation.Role;
import org.springframework.integration.annotation.ServiceActivator;

/**
 * Spring Integration: an endpoint in a role that is named like a lease runs on the leader only. The starter publishes Spring
 * Integration's events of leadership, which start and stop the endpoints in the role.
 */
public class PollingFlow {

    private final AtomicInteger polls = new AtomicInteger();
    private final Queue<Integer> received = new ConcurrentLinkedQueue<>();

    /** Polled while this process leads. {@code autoStartup} is off, because the role starts it. */
    @Role("recipes")
    @InboundChannelAdapter(channel = "numbers", autoStartup = "false", poller = @Poller(fixedDelay = "10"))
    public int poll() {
        return polls.incrementAndGet();
    }

    /** Runs on every replica; only the source has to be the leader's. */
    @ServiceActivator(inputChannel = "numbers")
    public void handle(int number) {
        received.add(number);
    }

    /** What was handled. */
    public Queue<Integer> received() {
        return received;
    }
}
