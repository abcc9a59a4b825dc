package io.cle.kubernetes.internal.client;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;

import io.cle.kubernetes.internal.codec.WireNames;
import io.cle.kubernetes.internal.watch.WatchedKind;
import io.cle.model.LeaseGroup;
import io.cle.model.ObjectKey;
import io.cle.model.internal.ApiResult;
import io.cle.model.internal.Lease;
import io.cle.store.internal.LeaseApi;
import io.cle.store.internal.Subscription;
import io.cle.store.internal.WatchEvent;
import io.cle.store.internal.Watcher;

/**
 * The leases of a group. They are read and written one by one, and watched together by their label, so that the number of watches doesn't
 * grow with the number of shards. Each watcher receives the events of its own lease.
 *
 * <p>If a lease loses its label, the watch reports it as deleted, and a list omits it. Both are treated as a gap: the lease is read, and the
 * watcher receives it as a snapshot, which doesn't show how often the lease has changed since. The next write of any process restores the
 * label. Thread-safe; no method blocks.
 */
public final class GroupLeases implements LeaseApi {

    private static final Duration READ_AGAIN = Duration.ofSeconds(1);

    private final LeaseClient leases;
    private final LeaseGroup group;

    /** The watchers of each lease. Confined to the loop, like the fields below. */
    private final Map<ObjectKey, List<Watcher<Lease>>> watchers = new HashMap<>();

    /** The leases as last reported by the watch; meaningless until it has listed. */
    private final Map<ObjectKey, Lease> known = new HashMap<>();

    private boolean listed;
    private Subscription watch = () -> {};

    /** Creates the store of a group, which doesn't watch yet. */
    public GroupLeases(LeaseClient leases, LeaseGroup group) {
        this.leases = leases;
        this.group = group;
    }

    @Override
    public CompletionStage<ApiResult<Optional<Lease>>> read(ObjectKey key) {
        return leases.read(key);
    }

    @Override
    public CompletionStage<ApiResult<Lease>> create(Lease lease) {
        return leases.create(labelled(lease));
    }

    @Override
    public CompletionStage<ApiResult<Lease>> write(Lease lease) {
        return leases.write(labelled(lease));
    }

    private Lease labelled(Lease lease) {
        return lease.toBuilder().group(group.label()).build();
    }

    @Override
    public Optional<String> endingLine(Lease lease) {
        return leases.endingLine(lease);
    }

    @Override
    public Subscription watch(ObjectKey key, Watcher<Lease> watcher) {
        leases.client.loop().execute(() -> add(key, watcher));
        return () -> leases.client.loop().execute(() -> remove(key, watcher));
    }

    private void add(ObjectKey key, Watcher<Lease> watcher) {
        if (watchers.isEmpty()) {
            // While a group is renamed, each process labels the lease with the name that it knows. Processes that know
            // the other name must observe the lease as well.
            WatchedKind<Lease> kind = group.isSharded()
                    ? WatchedKind.labelled(leases.codec, WireNames.GROUP, group.label())
                    : WatchedKind.labelled(leases.codec, WireNames.GROUP);
            watch = leases.client.watch(kind.in(group.namespace()), this::onEvent);
        }
        watchers.computeIfAbsent(key, unused -> new ArrayList<>()).add(watcher);
        if (listed) {
            watcher.onEvent(snapshot(key));
        }
    }

    private void remove(ObjectKey key, Watcher<Lease> watcher) {
        List<Watcher<Lease>> ofLease = watchers.getOrDefault(key, new ArrayList<>());
        ofLease.remove(watcher);
        if (ofLease.isEmpty()) {
            watchers.remove(key);
        }
        if (watchers.isEmpty()) {
            watch.close();
            listed = false;
            known.clear();
        }
    }

    private void onEvent(WatchEvent<Lease> event) {
        if (event instanceof WatchEvent.Snapshot<Lease> snapshot) {
            listed = true;
            Set<ObjectKey> before = Set.copyOf(known.keySet());
            known.clear();
            snapshot.objects().forEach(lease -> known.put(lease.key(), lease));
            for (ObjectKey key : List.copyOf(watchers.keySet())) {
                if (before.contains(key) && !known.containsKey(key)) {
                    readAfterGap(key);
                } else {
                    tell(key, snapshot(key));
                }
            }
        } else if (event instanceof WatchEvent.Changed<Lease> changed) {
            Lease lease = changed.object();
            boolean lost = known.put(lease.key(), lease) == null;
            // A lease that this watch hadn't reported may have existed without the label.
            tell(lease.key(), lost ? snapshot(lease.key()) : event);
        } else if (event instanceof WatchEvent.Removed<Lease> removed) {
            known.remove(removed.key());
            readAfterGap(removed.key());
        } else if (event instanceof WatchEvent.Malformed<Lease> malformed) {
            tell(malformed.key(), event);
        } else {
            List.copyOf(watchers.keySet()).forEach(key -> tell(key, event));
        }
    }

    /** Reads a lease after a gap. If the watch reports it before the response arrives, the response is older and is ignored. */
    private void readAfterGap(ObjectKey key) {
        leases.read(key).thenAccept(result -> {
            if (known.containsKey(key) || !watchers.containsKey(key)) {
                return;
            }
            if (result instanceof ApiResult.Ok<Optional<Lease>> ok) {
                tell(key, new WatchEvent.Snapshot<>(ok.value().stream().toList()));
            } else {
                leases.client.loop().schedule(READ_AGAIN, () -> readAfterGap(key));
            }
        });
    }

    private WatchEvent<Lease> snapshot(ObjectKey key) {
        return new WatchEvent.Snapshot<>(
                Optional.ofNullable(known.get(key)).stream().toList());
    }

    private void tell(ObjectKey key, WatchEvent<Lease> event) {
        List.copyOf(watchers.getOrDefault(key, List.of())).forEach(watcher -> watcher.onEvent(event));
    }
}
