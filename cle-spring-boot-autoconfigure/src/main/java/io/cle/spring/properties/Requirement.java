package io.cle.spring.properties;

/** Which availability state of the application a candidate needs ({@code cle.candidate.requires}). */
public enum Requirement {
    /** It accepts traffic, and its liveness is correct. */
    READINESS,
    /** Its liveness is correct. */
    LIVENESS,
    /** None: it is a candidate whatever its state. */
    NONE
}
