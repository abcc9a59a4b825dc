package io.cle;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

/**
 * A candidate for one lease, which leads when it is elected. Thread-safe. Its owner, the application context or a {@link
 * io.cle.plain.LeaderElection}, starts and stops it ({@link OwnedLock}).
 *
 * <p>Guaranteed: {@link #isLeader()} is never true in two processes at once for the same lease, as long as the rates of their clocks differ
 * by less than the ratio of lease duration to renew deadline. Clock skew does not matter. Not guaranteed: that requests already sent to
 * other systems have ended. Use the {@link #fencingToken()} to reject those.
 */
public interface CoordinatedLeaseLock {

    /** Returns the name of the lease. */
    String name();

    /**
     * Returns whether this process leads at this instant. True only from the success of the write that begins a term until the renew
     * deadline after the last successful renewal was sent. The deadline is measured on a monotonic clock and holds even if a thread of the
     * lock is stuck ({@code safety.md#deadline-from-send}).
     */
    boolean isLeader();

    /** Returns the holder as last observed by this process; empty if there is none. */
    Optional<String> leader();

    /** Returns the current term of this process; empty if it doesn't lead. */
    Optional<Term> term();

    /** Returns the fencing token of the current term; empty if this process doesn't lead ({@code safety.md#fencing-token}). */
    OptionalLong fencingToken();

    /**
     * Ends the current term, waits for the led work to end, releases the lease and stays out of elections for one lease duration, so that
     * another candidate is elected. Does nothing if this process doesn't lead.
     *
     * @return completes with the outcome when the lease is released, or when releasing it has failed
     */
    CompletionStage<Resignation> resign();

    /**
     * Resigns as {@link #resign()} does, and hands the lease over to the given candidate: the final write names the successor as the
     * holder, so that no election is needed. If the successor doesn't begin a term within 5 seconds, another candidate is elected.
     *
     * <p>The successor must be a candidate for the same lease, announced to a coordinator. The coordinator still applies its strategy
     * afterwards: if another candidate is strictly better than the successor, the coordinator elects that candidate. That may be this
     * process itself, when it joins elections again after one lease duration. A successor of equal rank keeps the lease.
     *
     * @param successor the identity of the candidate, as {@link #leader()} would return it
     * @return completes with the outcome. If the successor isn't a candidate, completes with {@link Resignation#NOT_A_CANDIDATE} and the
     *     term continues. If the API server doesn't answer whether it is one, for example because a right is missing, fails with an
     *     {@link IllegalStateException} whose message says why, and the term continues
     */
    CompletionStage<Resignation> resign(String successor);

    /**
     * Waits until this process leads. Leadership may have ended by the time this method returns; check {@link #isLeader()}.
     *
     * @param timeout how long to wait at most
     * @return whether a term began within that time or was already running
     * @throws InterruptedException if the waiting thread is interrupted
     */
    default boolean awaitLeadership(Duration timeout) throws InterruptedException {
        CountDownLatch granted = new CountDownLatch(1);
        LeadershipListener listener = new LeadershipListener() {
            @Override
            public void onGranted(Term term) {
                granted.countDown();
            }
        };
        Registration registration = addListener(listener);
        try {
            // Unlike toNanos(), convert() saturates instead of throwing for a very long timeout.
            return isLeader() || granted.await(TimeUnit.NANOSECONDS.convert(timeout), TimeUnit.NANOSECONDS);
        } finally {
            registration.close();
        }
    }

    /**
     * Changes the announced priority (strategy {@code HighestPriority}). Has no effect on a direct lock.
     *
     * @param priority {@code null} for none
     */
    void announcePriority(@Nullable Integer priority);

    /** Returns the current state of the lock, for display. */
    LockSnapshot snapshot();

    /**
     * Adds a listener. The listener isn't called for earlier events.
     *
     * @return removes the listener when closed; need not be closed if the listener stays for the lifetime of the lock
     */
    Registration addListener(LeadershipListener listener);
}
