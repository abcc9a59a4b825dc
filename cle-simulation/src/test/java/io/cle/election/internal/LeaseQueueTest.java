package io.cle.election.internal;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;

import io.cle.election.internal.LeaseReconciler.Outcome;
import io.cle.election.internal.LeaseReconciler.Result;
import io.cle.lock.internal.VirtualLoop;
import io.cle.model.ObjectKey;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class LeaseQueueTest {

    /** After which a request that isn't answered fails. */
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private final VirtualLoop loop = new VirtualLoop();
    private final Deque<ObjectKey> handedOut = new ArrayDeque<>();
    private final LeaseQueue queue = new LeaseQueue(loop, new SplittableRandom(1), 4, handedOut::add);
    private final List<String> elected = new ArrayList<>();
    private int failed;

    /** Reconciles as the workers do: leases whose name begins with {@code hanging} fail after the timeout, all others succeed at once. */
    private void work(Duration time) {
        for (Duration passed = Duration.ZERO; passed.compareTo(time) < 0; passed = passed.plusMillis(10)) {
            while (!handedOut.isEmpty()) {
                ObjectKey lease = handedOut.remove();
                CompletableFuture<Outcome> done = new CompletableFuture<>();
                queue.run(lease, () -> done);
                if (lease.name().startsWith("hanging")) {
                    loop.schedule(TIMEOUT, () -> {
                        failed++;
                        done.complete(Outcome.FAILED);
                    });
                } else {
                    loop.schedule(Duration.ofMillis(20), () -> {
                        elected.add(lease.name());
                        done.complete(Outcome.DONE);
                    });
                }
            }
            loop.advance(Duration.ofMillis(10));
        }
    }

    private void add(String name, int count) {
        for (int i = 0; i < count; i++) {
            queue.add(new ObjectKey("shop", name + i));
        }
    }

    /** Adds a lease ten times a second, as renewals do, and returns how many times it was reconciled, each time with the next of the outcomes. */
    private int reconciledIn(Duration time, Outcome... outcomes) {
        ObjectKey lease = new ObjectKey("shop", "orders");
        int reconciled = 0;
        for (long passed = 0; passed < time.toMillis(); passed += 100) {
            queue.add(lease);
            while (!handedOut.isEmpty()) {
                Outcome outcome = outcomes[reconciled++ % outcomes.length];
                queue.run(handedOut.remove(), () -> CompletableFuture.completedStage(outcome));
            }
            loop.advance(Duration.ofMillis(100));
        }
        return reconciled;
    }

    @Test
    void aLeaseWhoseWriteIsRefusedIsRetriedAfterAGrowingDelayHoweverOftenItChanges() {
        queue.open();

        assertThat(reconciledIn(Duration.ofMinutes(2), Outcome.REFUSED)).isBetween(12, 30);
    }

    @Test
    void aLeaseWhoseWriteIsRefusedAfterEachPingIsRetriedAfterAGrowingDelay() {
        queue.open();
        Outcome pinged = new Outcome(Result.PINGED, Optional.of(Duration.ofSeconds(5)));

        assertThat(reconciledIn(Duration.ofMinutes(2), pinged, Outcome.REFUSED)).isBetween(24, 60);
    }

    @Test
    void aLeaseWhoseWriteIsNotAnsweredIsRetriedWhenItChanges() {
        queue.open();

        assertThat(reconciledIn(Duration.ofSeconds(10), Outcome.FAILED)).isGreaterThan(90);
    }

    /** As with an admission webhook that doesn't answer for some leases. */
    @Test
    void leasesWhoseRequestsHangDoNotKeepOthersOfTheirNamespaceWaiting() {
        queue.open();
        add("hanging-", 20);
        work(Duration.ofSeconds(60));

        add("orders-", 30);
        work(Duration.ofSeconds(1));

        assertThat(elected).hasSize(30);
    }

    @Test
    void leasesWhoseRequestsHangAreTriedAgainOnceNoOtherWaits() {
        queue.open();
        add("hanging-", 1);
        work(Duration.ofSeconds(60));
        int before = failed;

        add("orders-", 300);
        work(Duration.ofSeconds(30));

        assertThat(elected).hasSize(300);
        assertThat(failed).isGreaterThan(before);
    }
}
