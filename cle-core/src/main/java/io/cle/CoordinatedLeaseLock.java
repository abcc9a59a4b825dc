package io.cle;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

/**
 * A candidate for one lease, which leads by it when it is elected. Thread-safe. Its life is its owner's ({@link OwnedLock}): the application context's, or
 * the {@link LeaderElection}'s.
 *
 * <p>Guaranteed: at no instant do two processes have {@link #isLeader()} true for one lease, as long as their clocks run at rates
 * within lease duration over renew deadline of each other; clock offsets do not matter. Not guaranteed: that work already handed
 * to the outside has ended; that is what {@link #fencingToken()} is for.
 */
public interface CoordinatedLeaseLock {

    /** The name of the lease. */
    String name();

    /**
     * Whether this process leads at this instant. True only between the success of the write that begins a term and the renew
     * deadline after the last successful renewal, on a monotonic clock, whatever thread is stuck where ({@code safety.md#deadline-from-send}).
     */
    boolean isLeader();

    /** The holder, as far as this process knows; empty when there is none. */
    Optional<String> leader();

    /** The running term of this process; empty when it doesn't lead. */
    Optional<Term> term();

    /** The fencing token of the running term; empty when this process doesn't lead ({@code safety.md#fencing-token}). */
    OptionalLong fencingToken();

    /**
     * Ends the running term, drains it, releases the lease, and stays out of elections for one lease duration, so that another candidate
     * is elected. Does nothing if this process doesn't lead.
     *
     * @return completes with the outcome when the lease is released, or can't be
     */
    CompletionStage<Resignation> resign();

    /**
     * As {@link #resign()}, but gives the lease to another candidate: the write that ends this process's hold names it as the holder, so that
     * no election is needed. If it doesn't begin a term within 5 seconds, another candidate is elected.
     *
     * <p>Only a candidate for the same lease can be named: a process that is announced to a coordinator. The coordinator goes on
     * applying its strategy afterwards: it moves the lease on if another candidate is strictly better than the successor, which this
     * process itself may be when its lease duration away is over. A successor of equal rank stays.
     *
     * @param successor the identity of the candidate, as {@link #leader()} would show it
     * @return completes with the outcome; with {@link Resignation#NOT_A_CANDIDATE} before the term ends, if it isn't one; with an
     *     {@link IllegalStateException} before the term ends, if the API server doesn't say whether it is one, for example because a right is
     *     missing: the message says why
     */
    CompletionStage<Resignation> resign(String successor);

    /**
     * Waits until this process leads. It may have stopped leading by the time this returns; {@link #isLeader()} knows.
     *
     * @param timeout how long to wait at most
     * @return whether a term began within that time, or was running already
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
            // Unlike toNanos(), this doesn't throw for a timeout that means for ever.
            return isLeader() || granted.await(TimeUnit.NANOSECONDS.convert(timeout), TimeUnit.NANOSECONDS);
        } finally {
            registration.close();
        }
    }

    /**
     * Changes the priority that is announced (strategy {@code HighestPriority}); nothing on a direct lock.
     *
     * @param priority {@code null} for none
     */
    void announcePriority(@Nullable Integer priority);

    /** All that is known at the moment, for people. */
    LockSnapshot snapshot();

    /**
     * Adds a listener; it isn't called for what happened before.
     *
     * @return removes the listener; needn't be closed if the listener stays as long as the lock
     */
    Registration addListener(LeadershipListener listener);
}
