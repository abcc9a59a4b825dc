package io.cle.samples.upgrade;

import java.util.OptionalLong;

import io.cle.model.Version;

/** A replica as observed by {@link OverlapWatch}. */
interface Observed {

    String name();

    Version version();

    /** Returns the token under which it claims to lead at this instant; empty if it doesn't claim to lead. */
    OptionalLong fencingToken();

    /** Returns when it became a candidate, in nanoseconds since the demo began; empty if it isn't one, or is about to leave. */
    OptionalLong candidateSince();
}
