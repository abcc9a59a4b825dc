package io.cle.kubernetes;

import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

import io.cle.api.WatchEvent;
import io.cle.api.Watcher;
import io.cle.model.Lease;
import io.cle.model.ObjectKey;
import io.cle.model.ResourceVersions;
import org.jspecify.annotations.Nullable;

/**
 * Makes one watch of the watches of a multi-lock's two records. Runs on the event loop.
 *
 * <p>What comes while this process writes the records is told when it has. It knows what was written then, and never again tells of
 * what was before: also where the watch of one record lags behind.
 */
final class PairWatch {

    private final ObjectKey key;
    private final Function<LeasePair, @Nullable Lease> combine;
    private final BooleanSupplier writing;
    private final Watcher<Lease> watcher;
    private final Side primary = new Side();
    private final Side secondary = new Side();
    private boolean begun;
    private @Nullable Lease told;
    private int withheld;
    private boolean snapshotWithheld;

    /** What is known of one of the records. */
    private static final class Side {
        private boolean known;
        private boolean legible = true;
        private @Nullable Lease lease;
        private @Nullable String newest;

        private boolean stale(@Nullable String version) {
            return ResourceVersions.older(version, newest);
        }

        private void set(@Nullable Lease next, @Nullable String version) {
            lease = next;
            newest = version == null ? newest : version;
        }
    }

    /**
     * A watch that knows nothing yet.
     *
     * @param writing whether this process is writing the records
     */
    PairWatch(
            ObjectKey key,
            Function<LeasePair, @Nullable Lease> combine,
            BooleanSupplier writing,
            Watcher<Lease> watcher) {
        this.key = key;
        this.combine = combine;
        this.writing = writing;
        this.watcher = watcher;
    }

    void onPrimary(WatchEvent<Lease> event) {
        take(primary, event);
    }

    void onSecondary(WatchEvent<Lease> event) {
        take(secondary, event);
    }

    private void take(Side side, WatchEvent<Lease> event) {
        if (event instanceof WatchEvent.Interrupted) {
            watcher.onEvent(event);
            return;
        }
        boolean snapshot = false;
        side.legible = true;
        if (event instanceof WatchEvent.Snapshot<Lease> all) {
            side.known = true;
            Lease lease = all.objects().isEmpty() ? null : all.objects().get(0);
            if (lease == null || !side.stale(lease.resourceVersion())) {
                side.set(lease, lease == null ? null : lease.resourceVersion());
            }
            snapshot = true;
        } else if (event instanceof WatchEvent.Changed<Lease> changed) {
            if (side.stale(changed.object().resourceVersion())) {
                return;
            }
            side.set(changed.object(), changed.object().resourceVersion());
        } else if (event instanceof WatchEvent.Malformed<Lease>) {
            side.legible = false;
            watcher.onEvent(event);
        } else if (event instanceof WatchEvent.Removed<Lease> removed) {
            if (side.stale(removed.resourceVersion())) {
                return;
            }
            side.set(null, removed.resourceVersion());
        }
        if (writing.getAsBoolean()) {
            withheld++;
            snapshotWithheld |= snapshot;
        } else {
            tellWhatIsKnown(snapshot);
        }
    }

    /**
     * A write of a lease by this process has come to an end.
     *
     * @param written the records as they were stored; {@code null} when they weren't, or it isn't known
     */
    void writeEnded(ObjectKey lease, @Nullable LeasePair written) {
        if (!lease.equals(key)) {
            return;
        }
        boolean news = withheld > 0;
        if (written != null) {
            news |= adopt(primary, written.primary());
            news |= adopt(secondary, written.secondary());
        }
        if (news && !writing.getAsBoolean()) {
            boolean asWritten = written != null
                    && Objects.equals(primary.lease, written.primary())
                    && Objects.equals(secondary.lease, written.secondary());
            boolean snapshot = snapshotWithheld || (withheld > 1 && !asWritten);
            withheld = 0;
            snapshotWithheld = false;
            tellWhatIsKnown(snapshot);
        }
    }

    private static boolean adopt(Side side, @Nullable Lease written) {
        if (written == null
                || side.stale(written.resourceVersion())
                || Objects.equals(side.newest, written.resourceVersion())) {
            return false;
        }
        side.set(written, written.resourceVersion());
        return true;
    }

    private void tellWhatIsKnown(boolean snapshot) {
        if (primary.known && secondary.known && primary.legible && secondary.legible) {
            tell(snapshot);
        }
    }

    private void tell(boolean snapshot) {
        Lease lease = combine.apply(new LeasePair(primary.lease, secondary.lease));
        if (snapshot || !begun) {
            begun = true;
            watcher.onEvent(new WatchEvent.Snapshot<>(lease == null ? List.of() : List.of(lease)));
        } else if (lease != null) {
            watcher.onEvent(new WatchEvent.Changed<>(lease));
        } else if (told != null) {
            watcher.onEvent(new WatchEvent.Removed<>(key, null));
        }
        told = lease;
    }
}
