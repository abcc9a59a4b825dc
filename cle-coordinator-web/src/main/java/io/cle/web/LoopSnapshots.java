package io.cle.web;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

import io.cle.ApiFormat;
import io.cle.election.internal.ElectionPolicy;
import io.cle.model.ObjectKey;
import io.cle.runtime.internal.coordinator.CoordinatorLoop;
import io.cle.runtime.internal.coordinator.ElectionView;
import io.cle.web.view.CoordinatorSnapshot;

/**
 * The snapshots of a coordinator in this process. Thread-safe.
 *
 * @param policy by what it elects
 * @param coordinator which replica coordinates; must be thread-safe
 * @param format the wire format in use; must be thread-safe
 */
public record LoopSnapshots(
        CoordinatorLoop loop,
        ElectionPolicy policy,
        Supplier<Optional<String>> coordinator,
        Supplier<Optional<ApiFormat>> format)
        implements CoordinatorSnapshots {

    @Override
    public CompletionStage<CoordinatorSnapshot> all() {
        List<ElectionView> leases = new ArrayList<>();
        return loop.readAll(leases::addAll).thenApply(unused -> snapshot(leases));
    }

    @Override
    public CompletionStage<CoordinatorSnapshot> one(ObjectKey lease) {
        return loop.views(List.of(lease)).thenApply(this::snapshot);
    }

    private CoordinatorSnapshot snapshot(List<ElectionView> leases) {
        return new CoordinatorSnapshot(
                Instant.now(),
                loop.coordinating(),
                coordinator.get().orElse(null),
                loop.watches(),
                policy,
                format.get().orElse(null),
                leases);
    }
}
