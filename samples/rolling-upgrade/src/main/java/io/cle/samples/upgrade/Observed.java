package io.cle.samples.upgrade;

import java.util.OptionalLong;

import io.cle.model.Version;

/** A replica as {@link OverlapWatch} sees it. */
interface Observed {

    String name();

    Version version();

    /** The token under which it says, at this instant, that it leads; empty when it says that it doesn't. */
    OptionalLong fencingToken();

    /** Since when it has been a candidate, in nanoseconds since the demo began; empty when it isn't, or is about to leave. */
    OptionalLong candidateSince();
}
