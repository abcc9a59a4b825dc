package io.cle.lock.internal;

import java.util.function.Consumer;

import io.cle.LockSnapshot.Contact;
import io.cle.model.Candidate;
import io.cle.model.internal.ApiResult;
import io.cle.store.internal.Subscription;
import org.jspecify.annotations.Nullable;

/**
 * A lock's candidacy: a candidate of its own, or a share in the one candidate of a group. Confined to the lock's event loop, except for
 * {@link #stored()} and {@link #contact()}.
 */
sealed interface Candidacy permits LockCandidacy, GroupCandidacy.Share {

    /**
     * Watches the candidate in these stores, and announces it if it is wanted. Forgets the previous state, because another API server may answer.
     * Without candidates in the stores, there is nothing to announce or withdraw.
     *
     * @return ends the watch
     */
    Subscription use(LockStores stores);

    /** Returns why no coordinator can elect this process; {@code null} if one can, as far as is known. */
    @Nullable
    Problem problem();

    /** Returns whether candidates are served. */
    boolean served();

    /** Announces the candidate, at once or as soon as candidates are served. */
    void announce();

    /** Withdraws the candidate. */
    void withdraw();

    /** Announces another priority; {@code null} for none. */
    void announcePriority(@Nullable Integer priority);

    /** Returns the candidate as stored by the API server; {@code null} if it isn't known to exist. */
    @Nullable
    Candidate stored();

    /** Returns the outcome of the last request about the candidate; may be called by any thread. */
    Contact contact();

    /** Reads whether another process is currently a candidate for the same lease. */
    void ifCandidate(String identity, Consumer<ApiResult<Boolean>> answered);

    /** Returns whether the candidate is gone, or was never announced. */
    boolean withdrawn();

    /** Returns whether the candidate is being withdrawn, and isn't known to be gone. */
    boolean withdrawing();

    /**
     * Why no coordinator can elect this process.
     *
     * @param reason for people
     * @param until when one can, as a clause after "once"
     */
    record Problem(String reason, String until) {}

    /**
     * Callbacks of the lock, on the loop.
     *
     * @param announced called when the candidate is announced
     * @param electionStarted called when the candidate is pinged
     * @param interrupted called when the watch of the candidate breaks
     * @param stepped called whenever something may have changed
     */
    record Listener(Runnable announced, Runnable electionStarted, Runnable interrupted, Runnable stepped) {}
}
