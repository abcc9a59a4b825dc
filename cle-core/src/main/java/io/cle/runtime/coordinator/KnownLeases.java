package io.cle.runtime.coordinator;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

import io.cle.api.LeaseConfiguration;
import io.cle.api.WatchEvent;
import io.cle.election.NamespaceRule;
import io.cle.model.Candidate;
import io.cle.model.Lease;
import io.cle.model.Moment;
import io.cle.model.ObjectKey;
import io.cle.runtime.Clock;
import org.jspecify.annotations.Nullable;

/** Sorts what the watches tell into one {@link LeaseRecord} a lease. Confined to the event loop. */
final class KnownLeases {

    private final NamespaceRule namespaces;
    private final Clock clock;
    private final Consumer<ObjectKey> changed;
    private final BiConsumer<Lease, Warning> complaints;
    private final Map<ObjectKey, LeaseRecord> files = new TreeMap<>();
    private final Map<ObjectKey, ObjectKey> leaseOfCandidate = new HashMap<>();
    private final Map<ObjectKey, ObjectKey> leaseOfConfiguration = new HashMap<>();

    /** In the file of which lease something that can't be understood is kept; where nothing better is known, of its own name. */
    private final Map<IgnoredObject, ObjectKey> leaseOfGarbage = new HashMap<>();

    /**
     * No files yet.
     *
     * @param namespaces which candidates and configurations count for leases of other namespaces
     * @param changed is told of every lease about which there is news
     * @param complaints is told once of whatever isn't as it should be, with the lease it may be about
     */
    KnownLeases(
            NamespaceRule namespaces, Clock clock, Consumer<ObjectKey> changed, BiConsumer<Lease, Warning> complaints) {
        this.namespaces = namespaces;
        this.clock = clock;
        this.changed = changed;
        this.complaints = complaints;
    }

    @Nullable
    LeaseRecord find(ObjectKey lease) {
        return files.get(lease);
    }

    void remove(ObjectKey lease) {
        files.remove(lease);
    }

    Collection<LeaseRecord> all() {
        return files.values();
    }

    Set<ObjectKey> keys() {
        return files.keySet();
    }

    void onLease(WatchEvent<Lease> event) {
        Moment now = clock.now();
        if (event instanceof WatchEvent.Snapshot<Lease> snapshot) {
            Map<ObjectKey, Lease> present = new HashMap<>();
            snapshot.objects().forEach(lease -> present.put(lease.key(), lease));
            for (LeaseRecord file : List.copyOf(files.values())) {
                Lease known = file.current();
                if (known != null && known.managed() && !present.containsKey(file.key())) {
                    file.missing(now);
                    touch(file);
                }
            }
            present.values().forEach(lease -> leaseSeen(lease, now, false));
        } else if (event instanceof WatchEvent.Changed<Lease> change) {
            leaseSeen(change.object(), now, false);
        } else if (event instanceof WatchEvent.Found<Lease> found) {
            leaseSeen(found.object(), now, false);
        } else if (event instanceof WatchEvent.Removed<Lease> removed) {
            LeaseRecord file = files.get(removed.key());
            if (file != null) {
                file.missing(now);
                touch(file);
            }
        } else if (event instanceof WatchEvent.Malformed<Lease> malformed) {
            malformed(IgnoredObject.lease(malformed.key()), malformed.key(), malformed.problem());
        }
    }

    private void leaseSeen(Lease lease, Moment now, boolean contiguous) {
        LeaseRecord file = file(lease.key());
        file.seen(lease, now, contiguous);
        touch(file);
    }

    void onCandidate(WatchEvent<Candidate> event) {
        Moment now = clock.now();
        if (event instanceof WatchEvent.Snapshot<Candidate> snapshot) {
            Map<ObjectKey, Candidate> present = new HashMap<>();
            snapshot.objects().forEach(candidate -> present.put(candidate.key(), candidate));
            for (ObjectKey key : List.copyOf(leaseOfCandidate.keySet())) {
                if (!present.containsKey(key)) {
                    candidateRemoved(key);
                }
            }
            present.values().forEach(candidate -> candidateSeen(candidate, now, false));
        } else if (event instanceof WatchEvent.Changed<Candidate> change) {
            candidateSeen(change.object(), now, true);
        } else if (event instanceof WatchEvent.Found<Candidate> found) {
            candidateSeen(found.object(), now, false);
        } else if (event instanceof WatchEvent.Removed<Candidate> removed) {
            candidateRemoved(removed.key());
        } else if (event instanceof WatchEvent.Malformed<Candidate> malformed) {
            forgetCandidate(malformed.key())
                    .ifPresent(lease -> leaseOfGarbage.putIfAbsent(IgnoredObject.candidate(malformed.key()), lease));
            malformed(IgnoredObject.candidate(malformed.key()), malformed.key(), malformed.problem());
        }
    }

    private void candidateSeen(Candidate candidate, Moment now, boolean live) {
        if (!namespaces.admits(candidate.key(), candidate.lease())) {
            forgetCandidate(candidate.key());
            ignore(IgnoredObject.candidate(candidate.key()), candidate.lease());
            return;
        }
        mended(IgnoredObject.candidate(candidate.key()));
        ObjectKey before = leaseOfCandidate.put(candidate.key(), candidate.lease());
        if (before != null && !before.equals(candidate.lease())) {
            LeaseRecord left = file(before);
            left.removeCandidate(candidate.key(), now);
            touch(left);
        }
        LeaseRecord file = file(candidate.lease());
        file.seen(candidate, now, live).ifPresent(complaint -> complain(file, complaint));
        touch(file);
    }

    void candidateRemoved(ObjectKey key) {
        mended(IgnoredObject.candidate(key));
        forgetCandidate(key);
    }

    /** Gives the lease that it stood for. */
    private Optional<ObjectKey> forgetCandidate(ObjectKey key) {
        Optional<ObjectKey> lease = Optional.ofNullable(leaseOfCandidate.remove(key));
        lease.map(files::get).ifPresent(file -> {
            file.removeCandidate(key, clock.now());
            touch(file);
        });
        return lease;
    }

    void onConfiguration(WatchEvent<LeaseConfiguration> event) {
        if (event instanceof WatchEvent.Snapshot<LeaseConfiguration> snapshot) {
            Map<ObjectKey, LeaseConfiguration> present = new HashMap<>();
            snapshot.objects().forEach(configuration -> present.put(configuration.key(), configuration));
            for (ObjectKey key : List.copyOf(leaseOfConfiguration.keySet())) {
                if (!present.containsKey(key)) {
                    configurationRemoved(key);
                }
            }
            present.values().forEach(this::configurationSeen);
        } else if (event instanceof WatchEvent.Changed<LeaseConfiguration> change) {
            configurationSeen(change.object());
        } else if (event instanceof WatchEvent.Found<LeaseConfiguration> found) {
            configurationSeen(found.object());
        } else if (event instanceof WatchEvent.Removed<LeaseConfiguration> removed) {
            configurationRemoved(removed.key());
        } else if (event instanceof WatchEvent.Malformed<LeaseConfiguration> malformed) {
            forgetConfiguration(malformed.key())
                    .ifPresent(
                            lease -> leaseOfGarbage.putIfAbsent(IgnoredObject.configuration(malformed.key()), lease));
            malformed(IgnoredObject.configuration(malformed.key()), malformed.key(), malformed.problem());
        }
    }

    private void configurationSeen(LeaseConfiguration configuration) {
        if (!namespaces.admits(configuration.key(), configuration.targetLease())) {
            forgetConfiguration(configuration.key());
            ignore(IgnoredObject.configuration(configuration.key()), configuration.targetLease());
            return;
        }
        configurationRemoved(configuration.key());
        leaseOfConfiguration.put(configuration.key(), configuration.targetLease());
        LeaseRecord file = file(configuration.targetLease());
        file.seen(configuration).ifPresent(complaint -> complain(file, complaint));
        touch(file);
    }

    private void configurationRemoved(ObjectKey key) {
        mended(IgnoredObject.configuration(key));
        forgetConfiguration(key);
    }

    /** Gives the lease that it spoke of. */
    private Optional<ObjectKey> forgetConfiguration(ObjectKey key) {
        Optional<ObjectKey> lease = Optional.ofNullable(leaseOfConfiguration.remove(key));
        lease.map(files::get).ifPresent(file -> {
            file.removeConfiguration(key);
            touch(file);
        });
        return lease;
    }

    private void malformed(IgnoredObject object, ObjectKey otherwise, String problem) {
        LeaseRecord file = file(
                object.kind() == IgnoredObject.Kind.LEASE
                        ? object.key()
                        : leaseOfGarbage.computeIfAbsent(object, unused -> otherwise));
        if (file.malformed(object, problem)) {
            complain(file, new Warning("Malformed", object + " can't be understood and is passed over: " + problem));
        }
        touch(file);
    }

    /**
     * An object names a lease of another namespace, which it may not (safety.md#own-namespace). The report goes to the object's own
     * namespace, so that a stranger can't write Events into the lease's.
     */
    private void ignore(IgnoredObject object, ObjectKey lease) {
        ObjectKey before = leaseOfGarbage.put(object, object.key());
        if (before != null && !before.equals(object.key())) {
            file(before).mended(object);
        }
        String problem =
                "it names the lease " + lease + " of another namespace; the coordinator's administrator can allow"
                        + " that by adding " + object.key().namespace() + " to the cross-namespace list";
        LeaseRecord file = file(object.key());
        if (file.malformed(object, problem)) {
            complain(file, new Warning("ForeignNamespace", object + " is ignored: " + problem));
        }
        touch(file);
    }

    void complain(LeaseRecord file, Warning complaint) {
        Lease about = file.current() == null ? Lease.builder(file.key()).build() : file.current();
        complaints.accept(about, complaint);
    }

    private void mended(IgnoredObject object) {
        ObjectKey lease = leaseOfGarbage.remove(object);
        LeaseRecord file = lease == null ? null : files.get(lease);
        if (file != null) {
            file.mended(object);
            touch(file);
        }
    }

    private LeaseRecord file(ObjectKey lease) {
        return files.computeIfAbsent(lease, LeaseRecord::new);
    }

    private void touch(LeaseRecord file) {
        changed.accept(file.key());
    }
}
