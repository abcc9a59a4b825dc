package io.cle.lock.internal;

import io.cle.model.Candidate;

/** What a candidacy wants done. */
public sealed interface CandidacyAction {

    /** Create the object; answer by {@link CandidacyEvent.WriteDone}. */
    record Create(Candidate candidate) implements CandidacyAction {}

    /** Renew the object, which also acknowledges a ping; answer by {@link CandidacyEvent.WriteDone}. */
    record Renew(Candidate candidate) implements CandidacyAction {}

    /** Delete the object; answer by {@link CandidacyEvent.DeleteDone}. */
    record Delete() implements CandidacyAction {}

    /** Tell listeners that the candidate is announced. */
    record Announced(Candidate candidate) implements CandidacyAction {}

    /** Tell the lock that the candidate was pinged, so that an election is under way. */
    record ElectionStarted() implements CandidacyAction {}

    /** Log a warning. */
    record Report(String message) implements CandidacyAction {}
}
