package io.cle.store.internal;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

import io.cle.model.Candidate;
import io.cle.model.ObjectKey;
import io.cle.model.internal.ApiResult;

/** Reads, writes and watches candidates in one wire format. Thread-safe; see the package for where results arrive. */
public interface CandidateStore {

    /** Reads a candidate from the API server itself; empty when it isn't there. */
    CompletionStage<ApiResult<Optional<Candidate>>> read(ObjectKey key);

    /** Reads the candidates for a lease in the lease's namespace; those that can't be understood are left out. */
    CompletionStage<ApiResult<List<Candidate>>> list(ObjectKey lease);

    /** Creates a candidate; {@link ApiResult.Conflict} when one of that name is there already. */
    CompletionStage<ApiResult<Candidate>> create(Candidate candidate);

    /**
     * Writes what a candidate says of itself (versions, strategy, priority, validity, renew time, owner), whatever is
     * there, and takes back a ping: that is the acknowledgement (safety.md#acknowledgement). No compare and swap: only the candidate
     * itself writes these. {@link ApiResult.Gone} when it isn't there.
     */
    CompletionStage<ApiResult<Candidate>> renew(Candidate candidate);

    /** Asks a candidate to acknowledge (safety.md#acknowledgement). */
    CompletionStage<ApiResult<Candidate>> ping(Candidate candidate, Instant time);

    /**
     * Deletes a candidate; succeeds if it is gone already.
     *
     * @param resourceVersion delete it only in this version; empty to delete whatever is there
     */
    CompletionStage<ApiResult<Optional<Candidate>>> delete(ObjectKey key, Optional<String> resourceVersion);

    /** Watches one candidate; see {@link LeaseStore#watch}. */
    Subscription watch(ObjectKey key, Watcher<Candidate> watcher);
}
