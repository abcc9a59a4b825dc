package io.cle.lock.internal;

import io.cle.model.Candidate;
import org.jspecify.annotations.Nullable;

/** What a candidacy wants done. */
public sealed interface CandidacyAction {

    /** Create the object; answer by {@link CandidacyEvent.WriteDone}. */
    record Create(Candidate candidate) implements CandidacyAction {}

    /** Renew the object, which also acknowledges a ping; answer by {@link CandidacyEvent.WriteDone}. */
    record Renew(Candidate candidate) implements CandidacyAction {}

    /** Delete the object; answer by {@link CandidacyEvent.DeleteDone}. */
    record Delete() implements CandidacyAction {}

    /** Tell listeners that the candidate is announced. */
    record Announced() implements CandidacyAction {}

    /** Tell the lock that the candidate was pinged, so that an election is under way. */
    record ElectionStarted() implements CandidacyAction {}

    /**
     * Log a warning.
     *
     * @param failure what has failed, if the request is tried again: until it succeeds, the same failure needs no second line; {@code null}
     *     if each report is a line
     */
    record Report(String message, @Nullable String failure) implements CandidacyAction {

        /** A report that is a line each time. */
        Report(String message) {
            this(message, null);
        }
    }
}
