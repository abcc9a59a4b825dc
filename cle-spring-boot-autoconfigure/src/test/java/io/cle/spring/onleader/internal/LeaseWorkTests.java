package io.cle.spring.onleader.internal;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import io.cle.RevokeReason;
import io.cle.Term;
import io.cle.loop.internal.Clock;
import io.cle.spring.FakeLock;
import io.cle.spring.lock.internal.ApplicationLease;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** The work of a lease, on threads that a test starts. */
class LeaseWorkTests {

    private final FakeLock lock = new FakeLock("orders");
    private final Queue<Runnable> threads = new ArrayDeque<>();
    private final List<Long> tokens = new ArrayList<>();
    private final LeaseWork work = work(term -> tokens.add(term.fencingToken()));

    private LeaseWork work(Consumer<Term> action) {
        LeaseWork led = workOn(threads::add);
        led.addTask("work", true, run -> action.accept(run.term()));
        return led;
    }

    private LeaseWork workOn(Executor executor) {
        return new LeaseWork(
                new ApplicationLease("orders", lock, null),
                new LeaseWork.Shared(
                        new OnLeaderProperties(Duration.ofSeconds(1), Duration.ofSeconds(1)),
                        Clock.system(),
                        executor));
    }

    @Test
    void isRunAgainAfterAPauseAtLeast() {
        assertThat(new OnLeaderProperties(Duration.ZERO, Duration.ZERO))
                .isEqualTo(new OnLeaderProperties(Duration.ofMillis(1), Duration.ofMillis(1)));
    }

    private void runThreads() {
        while (!threads.isEmpty()) {
            threads.remove().run();
        }
    }

    @Test
    void beginsWithATerm() {
        work.attach();
        Term term = lock.grant();

        runThreads();

        assertThat(tokens).containsExactly(term.fencingToken());
    }

    @Test
    void beginsOnceInATermThatIsReportedTwice() {
        work.attach();
        Term term = lock.grant();
        work.onGranted(term);

        runThreads();

        assertThat(tokens).containsExactly(term.fencingToken());
    }

    @Test
    void beginsInTheNextTermOnlyOnceItHasEnded() {
        List<Integer> threadsDuringTheFirstRun = new ArrayList<>();
        LeaseWork slow = work(term -> {
            tokens.add(term.fencingToken());
            if (tokens.size() == 1) {
                lock.revoke(RevokeReason.LEASE_LOST);
                lock.grant();
                threadsDuringTheFirstRun.add(threads.size());
            }
        });
        slow.attach();
        Term first = lock.grant();

        runThreads();

        assertThat(threadsDuringTheFirstRun)
                .as("threads for the next term while the work of the last one goes on")
                .containsExactly(0);
        assertThat(tokens).containsExactly(first.fencingToken(), first.fencingToken() + 1);
    }

    @Test
    void beginsInATermThatIsRunningWhenItIsAttached() {
        Term term = lock.grant();
        work.attach();

        runThreads();

        assertThat(tokens).containsExactly(term.fencingToken());
    }

    /** safety.md#callbacks-off-the-renewal-path: an application's task decorator may throw, too. */
    @Test
    void isInterruptedThoughThereIsNoThreadForWhatIsCancelledBefore() throws InterruptedException {
        LeaseWork led = workOn(task -> {
            throw new IllegalStateException("no thread-bound request found");
        });
        led.attach();
        Term term = lock.grant();
        CountDownLatch cancelled = new CountDownLatch(2);
        List<LeaderRun> runs = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            LeaderRun run = Objects.requireNonNull(led.enter("guarded"));
            CompletableFuture<Void> rest = new CompletableFuture<>();
            rest.whenComplete((value, failure) -> cancelled.countDown());
            run.continuesWith(rest);
            runs.add(run);
        }

        led.termEnded(term, RevokeReason.STOPPED);

        assertThat(cancelled.await(10, TimeUnit.SECONDS))
                .as("both are cancelled")
                .isTrue();
        assertThat(runs).allMatch(LeaderRun::isStopping);
    }
}
