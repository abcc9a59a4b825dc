package io.cle.coordinator.cluster;

import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import io.cle.election.internal.CoordinatorLoop;
import io.cle.election.internal.ElectionView;
import io.cle.kubernetes.internal.access.AccessRight;
import io.cle.kubernetes.internal.access.AccessRights;
import io.cle.kubernetes.internal.client.LeaderEndpoints;
import io.cle.kubernetes.internal.client.ObjectClient;
import io.cle.loop.internal.EventLoop;
import io.cle.loop.internal.RepeatedFailures;
import io.cle.model.ObjectKey;
import io.cle.model.internal.ApiResult;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Empties the EndpointSlice {@code <lease>-leader} of each lease whose leader is dead, so that its Service has no endpoint instead of a pod
 * that doesn't answer. A live leader removes itself from the slice, and a successor replaces a dead one; this class covers the time in
 * between. The replica that coordinates handles each lease once per time without a leader.
 */
public final class LeaderServices implements SmartLifecycle {

    /** How often all leases are checked. */
    static final Duration INTERVAL = Duration.ofSeconds(2);

    private static final Logger log = LoggerFactory.getLogger(LeaderServices.class);

    private final boolean enabled;
    private final CoordinatorLoop coordinator;
    private final EventLoop loop;
    private final ObjectClient client;
    private volatile boolean running;
    // Confined to the loop.
    private final Set<ObjectKey> done = new HashSet<>();
    private final RepeatedFailures failures = new RepeatedFailures();
    private EventLoop.Timer next = () -> {};

    /**
     * Creates an instance that isn't started.
     *
     * @param enabled whether {@link #start} has an effect
     * @param loop the loop of the coordinator, which is also the client's
     */
    public LeaderServices(boolean enabled, CoordinatorLoop coordinator, EventLoop loop, ObjectClient client) {
        this.enabled = enabled;
        this.coordinator = coordinator;
        this.loop = loop;
        this.client = client;
    }

    /** Returns the required rights in the given namespaces, or in all if none is given; empty if this isn't enabled. */
    List<AccessRight> rightsIn(Set<String> namespaces) {
        return enabled ? AccessRights.ofLeaderServices(namespaces) : List.of();
    }

    @Override
    public void start() {
        if (enabled) {
            running = true;
            loop.execute(this::again);
        }
    }

    @Override
    public void stop() {
        running = false;
        loop.execute(() -> next.cancel());
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    private void again() {
        if (running) {
            next = loop.schedule(INTERVAL, this::pass);
        }
    }

    private void pass() {
        if (!coordinator.coordinating()) {
            done.clear();
            again();
            return;
        }
        Instant now = loop.clock().wall();
        Set<ObjectKey> known = new HashSet<>();
        coordinator
                .readAll(views -> views.forEach(view -> {
                    known.add(view.key());
                    lookAt(view, now);
                }))
                .thenRun(() -> done.retainAll(known))
                .whenComplete((unused, failure) -> {
                    if (failure != null) {
                        log.debug("leases without a leader could not be checked", failure);
                    }
                    loop.execute(this::again);
                });
    }

    private void lookAt(ElectionView view, Instant now) {
        if (view.heldAt(now)) {
            done.remove(view.key());
        } else if (done.add(view.key())) {
            ObjectKey slice = LeaderEndpoints.sliceOf(view.key());
            LeaderEndpoints.empty(client, slice).thenAccept(result -> {
                if (result instanceof ApiResult.Ok<Boolean> ok) {
                    failures.succeeded();
                    if (ok.value()) {
                        log.info("lease {}: no replica leads; EndpointSlice {} was emptied", view.key(), slice);
                    }
                } else {
                    done.remove(view.key());
                    if (result instanceof ApiResult.Refused<Boolean> && failures.isNew(result.describe())) {
                        log.warn("EndpointSlice {} could not be emptied: {}", slice, result.describe());
                    } else {
                        log.debug("EndpointSlice {} could not be emptied: {}", slice, result.describe());
                    }
                }
            });
        }
    }
}
