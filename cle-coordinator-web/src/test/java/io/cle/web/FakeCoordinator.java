package io.cle.web;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.UnaryOperator;

import io.cle.election.internal.ElectionView;
import io.cle.model.ObjectKey;
import io.cle.web.view.CoordinatorSnapshot;
import io.cle.web.view.Snapshots;
import org.jspecify.annotations.Nullable;

/** A coordinator with the leases that a test sets. Thread-safe. */
final class FakeCoordinator implements CoordinatorSnapshots {

    private final Map<ObjectKey, Function<Instant, ElectionView>> leases = new TreeMap<>();
    private UnaryOperator<CoordinatorSnapshot> change = UnaryOperator.identity();
    private boolean answering = true;
    private @Nullable CoordinatorSnapshots other;
    private boolean read;

    /** Starts over, with no lease. */
    synchronized void forget() {
        leases.clear();
        other = null;
        change(UnaryOperator.identity());
        answering(true);
    }

    /** Uses the leases of another coordinator, and nothing else. */
    synchronized void know(CoordinatorSnapshots all) {
        other = all;
        read = false;
    }

    /** Whether all leases have been read since the last change here; a server may share an earlier read for a moment. */
    synchronized boolean wasReadSinceTheLastChange() {
        return read;
    }

    /** Adds a lease, which is built anew for each read. */
    synchronized void know(String namespace, String name, Function<Snapshots.Builder, Snapshots.Builder> lease) {
        leases.put(
                new ObjectKey(namespace, name),
                now -> lease.apply(Snapshots.lease(namespace, name).now(now)).build());
        read = false;
    }

    /** Changes every snapshot. */
    synchronized void change(UnaryOperator<CoordinatorSnapshot> value) {
        change = value;
        read = false;
    }

    /** Sets whether the coordinator answers. */
    synchronized void answering(boolean value) {
        answering = value;
        read = false;
    }

    @Override
    public synchronized CoordinatorSnapshot all() {
        read = true;
        return other == null ? snapshot(List.copyOf(leases.values())) : other.all();
    }

    @Override
    public synchronized CoordinatorSnapshot one(ObjectKey lease) {
        return other != null
                ? other.one(lease)
                : snapshot(leases.containsKey(lease) ? List.of(leases.get(lease)) : List.of());
    }

    private CoordinatorSnapshot snapshot(List<Function<Instant, ElectionView>> wanted) {
        if (!answering) {
            throw new CompletionException(new TimeoutException());
        }
        Instant now = Instant.now();
        return change.apply(
                Snapshots.at(now, wanted.stream().map(lease -> lease.apply(now)).toList()));
    }
}
