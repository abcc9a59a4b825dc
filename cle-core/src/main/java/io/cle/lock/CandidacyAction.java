package io.cle.lock;

import io.cle.model.Candidate;

/** What a candidacy wants done. */
public sealed interface CandidacyAction {

    /** Create the object; answer by {@link CandidacyEvent.WriteDone}. */
    record Create(Candidate candidate) implements CandidacyAction {}

    /** Renew the object, which also acknowledges; answer by {@link CandidacyEvent.WriteDone}. */
    record Renew(Candidate candidate) implements CandidacyAction {}

    /** Delete the object; answer by {@link CandidacyEvent.DeleteDone}. */
    record Delete() implements CandidacyAction {}

    /** It stands in the cluster now. */
    record Announced(Candidate candidate) implements CandidacyAction {}

    /** It was asked to acknowledge, so an election is on. */
    record ElectionHeard() implements CandidacyAction {}

    /** Tell a person that something isn't as it should be. */
    record Report(String message) implements CandidacyAction {}
}
