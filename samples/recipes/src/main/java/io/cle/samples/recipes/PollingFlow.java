package io.cle.samples.recipes;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

import io.cle.spring.event.OnGrantedLeadership;
import io.cle.spring.event.OnRevokedLeadership;
import org.springframework.context.event.EventListener;
import org.springframework.integration.annotation.InboundChannelAdapter;
import org.springframework.integration.annotation.Poller;
import org.springframework.integration.annotation.Role;
import org.springframework.integration.annotation.ServiceActivator;
import org.springframework.integration.support.SmartLifecycleRoleController;

/** Spring Integration: the endpoints in a role run on the leader only. */
public class PollingFlow {

    private static final String ROLE = "numbers";

    private final SmartLifecycleRoleController roles;
    private final AtomicInteger polls = new AtomicInteger();
    private final Queue<Integer> received = new ConcurrentLinkedQueue<>();

    /**
     * Starts and stops the endpoints in the role.
     *
     * @param roles Spring Integration's bean
     */
    public PollingFlow(SmartLifecycleRoleController roles) {
        this.roles = roles;
    }

    @EventListener
    void onGranted(OnGrantedLeadership event) {
        roles.startLifecyclesInRole(ROLE);
    }

    /** The lease is handed over once the endpoints have stopped. */
    @EventListener
    void onRevoked(OnRevokedLeadership event) {
        roles.stopLifecyclesInRole(ROLE);
    }

    /** Polled while this process leads. {@code autoStartup} is off, because the role starts it. */
    @Role(ROLE)
    @InboundChannelAdapter(channel = "numbers", autoStartup = "false", poller = @Poller(fixedDelay = "10"))
    public int poll() {
        return polls.incrementAndGet();
    }

    /** Runs on every replica; only the source has to run on the leader. */
    @ServiceActivator(inputChannel = "numbers")
    public void handle(int number) {
        received.add(number);
    }

    /** Returns the handled numbers. */
    public Queue<Integer> received() {
        return received;
    }
}
