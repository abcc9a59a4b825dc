package io.cle.model;

import java.time.Duration;
import java.time.Instant;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/** The fields of a {@link Candidate}. */
record CandidateFields(
        ObjectKey key,
        @Nullable String resourceVersion,
        ObjectKey lease,
        @Nullable LeaseGroup group,
        Set<ObjectKey> leases,
        @Nullable Version binaryVersion,
        @Nullable Version compatibilityVersion,
        @Nullable Integer priority,
        String strategy,
        Duration validity,
        @Nullable Instant renewTime,
        @Nullable Instant pingTime,
        @Nullable Instant creationTime,
        @Nullable PodRef pod)
        implements Candidate {}
