package io.cle.lock;

import io.cle.api.ApiResult;
import io.cle.model.Candidate;
import org.jspecify.annotations.Nullable;

/** What happens to a candidacy. */
public sealed interface CandidacyEvent {

    /** It shall be announced. */
    record Announce() implements CandidacyEvent {}

    /** It shall be withdrawn. */
    record Withdraw() implements CandidacyEvent {}

    /** The watch has told of it. */
    record Seen(Candidate candidate) implements CandidacyEvent {}

    /**
     * The watch has told that it isn't there.
     *
     * @param resourceVersion the version of its deletion; {@code null} when it was only found missing
     */
    record Missing(@Nullable String resourceVersion) implements CandidacyEvent {}

    /** The watch has told that it is there and can't be understood, as somebody has changed it. */
    record Garbled() implements CandidacyEvent {}

    /** The creation or renewal that was asked for has ended. */
    record WriteDone(ApiResult<Candidate> result) implements CandidacyEvent {}

    /** The deletion that was asked for has ended. */
    record DeleteDone(ApiResult<?> result) implements CandidacyEvent {}

    /** Another priority is to be announced; {@code null} for none. */
    record PriorityChanged(@Nullable Integer priority) implements CandidacyEvent {}

    /** A wake-up that was asked for is due. */
    record Tick() implements CandidacyEvent {}
}
