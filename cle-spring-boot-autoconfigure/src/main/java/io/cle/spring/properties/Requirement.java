package io.cle.spring.properties;

/** The availability state of the application that a candidate requires ({@code cle.candidate.requires}). */
public enum Requirement {
    /** The application accepts traffic, and its liveness is correct. */
    READINESS,
    /** The application's liveness is correct. */
    LIVENESS,
    /** None: the process is a candidate in any state. */
    NONE
}
