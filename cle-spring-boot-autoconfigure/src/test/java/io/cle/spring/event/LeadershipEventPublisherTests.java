package io.cle.spring.event;

import java.util.ArrayList;
import java.util.List;

import io.cle.lock.RevokeReason;
import io.cle.lock.Term;
import io.cle.spring.FakeLock;
import org.junit.jupiter.api.Test;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.support.StaticApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

class LeadershipEventPublisherTests {

    private final FakeLock lock = new FakeLock("orders");
    private final List<Object> published = new ArrayList<>();
    private final List<String> threads = new ArrayList<>();

    @Test
    void termsAndLeadersArePublishedOnTheCallbackThreadInOrder() {
        new LeadershipEventPublisher(event -> {
                    published.add(event);
                    threads.add(Thread.currentThread().getName());
                })
                .customize("orders", lock);

        lock.changeLeader("orders-a");
        Term term = lock.grant();
        lock.revoke(RevokeReason.END_OF_TERM).join();
        lock.changeLeader(null);

        assertThat(published)
                .containsExactly(
                        new OnLeaderChanged("orders", "orders-a", "orders-a"),
                        new OnGrantedLeadership("orders", "orders-a", 41, term),
                        new OnRevokedLeadership("orders", "orders-a", 41, RevokeReason.END_OF_TERM, term),
                        new OnLeaderChanged("orders", null, "orders-a"));
        assertThat(threads).containsOnly("callbacks");
    }

    @Test
    void itIsKnownWhetherTheNewLeaderIsThisProcess() {
        assertThat(new OnLeaderChanged("orders", "orders-a", "orders-a").isSelf())
                .isTrue();
        assertThat(new OnLeaderChanged("orders", "orders-b", "orders-a").isSelf())
                .isFalse();
        assertThat(new OnLeaderChanged("orders", null, "orders-a").isSelf()).isFalse();
    }

    @Test
    void aListenerThatFailsDoesNotReachTheLock() {
        new LeadershipEventPublisher(event -> {
                    published.add(event);
                    throw new IllegalStateException("a listener's");
                })
                .customize("orders", lock);

        lock.grant();
        lock.revoke(RevokeReason.LEASE_LOST).join();

        assertThat(published).hasSize(2);
    }

    @Test
    void beansThatAreAboutToBeDestroyedAreNotToldWhoLeadsNext() {
        StaticApplicationContext context = new StaticApplicationContext();
        context.addApplicationListener(
                (PayloadApplicationEvent<OnLeaderChanged> event) -> published.add(event.getPayload()));
        context.refresh();
        LeadershipEventPublisher publisher = new LeadershipEventPublisher(context);
        publisher.customize("orders", lock);

        publisher.onClose(new ContextClosedEvent(new StaticApplicationContext()));
        lock.changeLeader("orders-a");
        publisher.onClose(new ContextClosedEvent(context));
        lock.changeLeader("orders-b");

        assertThat(published).containsExactly(new OnLeaderChanged("orders", "orders-a", "orders-a"));
    }
}
