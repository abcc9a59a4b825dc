package io.cle.lock.internal;

import io.cle.model.Candidate;
import io.cle.model.internal.ApiResult;
import org.jspecify.annotations.Nullable;

/** What happens to a candidacy. */
public sealed interface CandidacyEvent {

    /** The process joins the election. */
    record Announce() implements CandidacyEvent {}

    /** The process withdraws from the election. */
    record Withdraw() implements CandidacyEvent {}

    /** The watch has shown the candidate. */
    record Seen(Candidate candidate) implements CandidacyEvent {}

    /**
     * The watch has shown that the candidate isn't there.
     *
     * @param resourceVersion the version of its deletion, or of a list that doesn't contain it; {@code null} if that isn't known
     */
    record Missing(@Nullable String resourceVersion) implements CandidacyEvent {}

    /**
     * The API server's history has begun anew from an earlier state ({@code safety.md#new-history}).
     *
     * @param candidate the candidate as it is now; {@code null} when it isn't there
     */
    record NewHistory(@Nullable Candidate candidate) implements CandidacyEvent {}

    /** The watch has shown the candidate, and another writer has made it malformed. */
    record Malformed() implements CandidacyEvent {}

    /** The answer to {@link CandidacyAction.Create} or {@link CandidacyAction.Renew}. */
    record WriteDone(ApiResult<Candidate> result) implements CandidacyEvent {}

    /** The answer to {@link CandidacyAction.Delete}. */
    record DeleteDone(ApiResult<?> result) implements CandidacyEvent {}

    /** Another priority is to be announced; {@code null} for none. */
    record PriorityChanged(@Nullable Integer priority) implements CandidacyEvent {}

    /** The instant of {@link CandidacyState#wakeAt()} has come. */
    record Tick() implements CandidacyEvent {}
}
