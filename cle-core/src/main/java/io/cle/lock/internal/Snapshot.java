package io.cle.lock.internal;

import java.time.Instant;
import java.util.List;

import io.cle.LockSnapshot;
import io.cle.Role;
import io.cle.Timings;
import io.cle.model.Candidate;
import io.cle.model.ObjectKey;
import org.jspecify.annotations.Nullable;

/** The parts of a {@link LockSnapshot}. */
public record Snapshot(
        ObjectKey lease,
        String identity,
        boolean coordinated,
        Timings timings,
        Role role,
        @Nullable Leading leading,
        Observed observed,
        @Nullable Candidate candidate,
        @Nullable String uncoordinated,
        @Nullable String key,
        Contacts contacts,
        List<HistoryEntry> history,
        Measurements measurements)
        implements LockSnapshot {

    /** The parts of a {@link LockSnapshot.Observed}. */
    public record Seen(
            @Nullable String holder,
            @Nullable Instant acquireTime,
            @Nullable Instant renewTime,
            @Nullable String electedBy,
            @Nullable String strategy,
            int transitions,
            boolean endOfTerm,
            @Nullable String preferredHolder,
            @Nullable String holderKey)
            implements Observed {

        /** No lease. */
        static final Seen NOTHING = new Seen(null, null, null, null, null, 0, false, null, null);
    }
}
