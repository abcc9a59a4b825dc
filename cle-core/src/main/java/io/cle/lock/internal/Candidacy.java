package io.cle.lock.internal;

import java.util.function.Consumer;

import io.cle.LockSnapshot.Contact;
import io.cle.model.Candidate;
import io.cle.model.internal.ApiResult;
import org.jspecify.annotations.Nullable;

/**
 * A lock's candidacy: a candidate of its own, or a share in the one candidate of a group. Confined to the lock's event loop, except for
 * {@link #stored()} and {@link #contact()}.
 */
sealed interface Candidacy permits LockCandidacy, GroupCandidacy.Share {

    /**
     * Watches the candidate in these stores, and announces it if it is wanted. Forgets what was known, because another watch may show another
     * history of the API server. If the stores have no candidates, nothing is announced, and nothing is left to withdraw.
     */
    void use(LockStores stores);

    /** Ends the watch. */
    void close();

    /** Returns why no coordinator can elect this process; {@code null} if one can, as far as is known. */
    @Nullable
    String problem();

    /** Whether candidates are served. */
    boolean served();

    /** Announces the candidate, at once or as soon as candidates are served. */
    void announce();

    /** Withdraws the candidate. */
    void withdraw();

    /** Announces another priority; {@code null} for none. */
    void announcePriority(@Nullable Integer priority);

    /** Returns the candidate as the API server has it; {@code null} if it isn't known to be there. */
    @Nullable
    Candidate stored();

    /** Returns how the last request about the candidate has ended; may be called by any thread. */
    Contact contact();

    /** Reads whether another process is announced as a candidate for the same lease. */
    void ifCandidate(String identity, Consumer<ApiResult<Boolean>> answered);

    /** Whether the candidate is gone, or was never announced. */
    boolean withdrawn();

    /**
     * Runs a task once a candidate that is being withdrawn is gone: otherwise the next election could choose it again. Waits no longer than a
     * second, because the API server may not answer.
     */
    void onceWithdrawn(Runnable task);
}
