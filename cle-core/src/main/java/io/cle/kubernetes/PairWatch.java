package io.cle.kubernetes;

import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

import io.cle.api.WatchEvent;
import io.cle.api.Watcher;
import io.cle.model.Lease;
import io.cle.model.ObjectKey;
import org.jspecify.annotations.Nullable;

/**
 * Makes one watch of the watches of a multi-lock's two records. Runs on the event loop.
 *
 * <p>What comes while this process writes the records is told when it has: as a snapshot where several things have come, as of what lay
 * between them nothing is told.
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
            side.lease = all.objects().isEmpty() ? null : all.objects().get(0);
            snapshot = true;
        } else if (event instanceof WatchEvent.Changed<Lease> changed) {
            side.lease = changed.object();
        } else if (event instanceof WatchEvent.Malformed<Lease>) {
            side.legible = false;
            watcher.onEvent(event);
        } else {
            side.lease = null;
        }
        if (writing.getAsBoolean()) {
            withheld++;
            snapshotWithheld |= snapshot;
        } else {
            tellWhatIsKnown(snapshot);
        }
    }

    /** A write of a lease by this process has come to an end, whatever its outcome. */
    void writeEnded(ObjectKey written) {
        if (written.equals(key) && withheld > 0 && !writing.getAsBoolean()) {
            boolean snapshot = snapshotWithheld || withheld > 1;
            withheld = 0;
            snapshotWithheld = false;
            tellWhatIsKnown(snapshot);
        }
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
