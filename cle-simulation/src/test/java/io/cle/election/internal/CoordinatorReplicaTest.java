package io.cle.election.internal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

import io.cle.lock.internal.LeaseLock;
import io.cle.lock.internal.ProcessLocks;
import io.cle.lock.internal.VirtualLoop;
import io.cle.model.Candidate;
import io.cle.model.ObjectKey;
import io.cle.strategy.internal.Strategies;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** A replica that can't elect withdraws ({@code protocol.md#requests-and-limits}). */
class CoordinatorReplicaTest {

    private static final ObjectKey LEASE = new ObjectKey("shop", "orders");

    private final VirtualLoop eventLoop = new VirtualLoop();
    private final ApiInMemory api = new ApiInMemory(eventLoop);
    private final List<ObjectKey> queued = new ArrayList<>();
    private boolean working = true;
    private final Coordinator loop = new Coordinator(
            new CoordinatorConfig(
                    Strategies.builtIn(), Map.of(), ElectionPolicy.DEFAULT, NamespaceRule.OWN_NAMESPACE_ONLY),
            eventLoop,
            new Random(1),
            this::queue,
            reason -> {},
            () -> {});
    private final LeaseLock lock = ProcessLocks.lock("coordinators", Duration.ofSeconds(5), eventLoop, Runnable::run);
    private final CoordinatorReplica replica = new CoordinatorReplica(loop, lock, eventLoop);

    private void queue(ObjectKey lease, Coordinator coordinator) {
        if (working) {
            coordinator.reconcile(lease);
        } else {
            queued.add(lease);
        }
    }

    private void begin() {
        loop.use(api.client);
        replica.start();
        eventLoop.runReady();
        pass(Duration.ofSeconds(1));
        assertThat(lock.isLeader()).isTrue();
    }

    private void joins(String name) {
        ObjectKey key = new ObjectKey(LEASE.namespace(), name);
        Candidate candidate = Candidate.builder(key, LEASE)
                .renewTime(eventLoop.clock().wall())
                .build();
        api.put(candidate);
        eventLoop.runReady();
    }

    private void pass(Duration time) {
        for (int i = 0; i < time.toSeconds(); i++) {
            eventLoop.advance(Duration.ofSeconds(1));
        }
    }

    @Test
    void leadsOnWhileItElects() {
        begin();
        joins("orders-a");
        pass(Duration.ofMinutes(5));

        assertThat(lock.isLeader()).isTrue();
    }

    @Test
    void leadsOnWithoutAnythingToElect() {
        begin();
        pass(Duration.ofMinutes(5));

        assertThat(lock.isLeader()).isTrue();
    }

    @Test
    void withdrawsWhenNoElectionGetsDoneAndJoinsAgainAfterAWhile() {
        begin();
        working = false;
        joins("orders-a");
        pass(Duration.ofSeconds(41));
        assertThat(queued).containsExactly(LEASE);
        assertThat(lock.isRunning()).isFalse();

        working = true;
        pass(Duration.ofSeconds(20));
        assertThat(lock.isRunning()).isFalse();
        pass(Duration.ofSeconds(20));
        assertThat(lock.isLeader()).isTrue();
    }
}
