package io.cle.election.internal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import io.cle.election.internal.api.LeaseConfiguration;
import io.cle.election.internal.shards.KeyOwnership;
import io.cle.loop.internal.Clock;
import io.cle.model.Candidate;
import io.cle.model.LeaseGroup;
import io.cle.model.ObjectKey;
import io.cle.model.internal.Lease;
import io.cle.model.internal.Moment;
import io.cle.model.internal.ResourceVersions;
import io.cle.store.internal.WatchEvent;
import org.jspecify.annotations.Nullable;

/**
 * Maintains one {@link LeaseRecord} per lease from watch events, and collects the leases that have changed until {@link #takeTouched} is called.
 * Confined to the event loop.
 *
 * <p>Rule: {@code protocol.md#which-strategy-applies}.
 */
final class LeaseTable {

    private static final String LEASE = "Lease";
    private static final String CANDIDATE = "LeaseCandidate";
    private static final String CONFIGURATION = "LeaseConfiguration";

    private final NamespaceRule namespaces;
    private final Duration longestTerm;
    private final Clock clock;
    private final CoordinatorJournal journal;
    private final Map<ObjectKey, LeaseRecord> records = new TreeMap<>();
    private final Set<ObjectKey> touched = new LinkedHashSet<>();

    /** The observed candidates, by key. */
    private final Map<ObjectKey, CandidateObservation> candidates = new HashMap<>();

    /** The groups whose leases have names of their own, by {@link LeaseGroup#key()}. */
    private final Map<ObjectKey, GroupEntry> groups = new HashMap<>();

    /** The keys that have or had shards. */
    private final Map<ObjectKey, KeyEntry> keys = new HashMap<>();

    private final ConfigurationTable configurations;

    /** The ignored candidates and configurations that were already reported, as {@code <kind> <key>}, until they are corrected or deleted. */
    private final Set<String> ignored = new HashSet<>();

    /**
     * Creates an empty table.
     *
     * @param namespaces which candidates and configurations may name leases of other namespaces
     * @param longestTerm the coordinator's own lease duration, which a term is assumed to have if nothing else is known of it
     * @param journal logs problems, and records them as Events
     */
    LeaseTable(NamespaceRule namespaces, Duration longestTerm, Clock clock, CoordinatorJournal journal) {
        this.namespaces = namespaces;
        this.longestTerm = longestTerm;
        this.clock = clock;
        this.journal = journal;
        this.configurations = new ConfigurationTable(namespaces);
    }

    ConfigurationTable configurations() {
        return configurations;
    }

    /** Returns the leases that have changed since the last call, in the order of their first change. */
    List<ObjectKey> takeTouched() {
        List<ObjectKey> changed = List.copyOf(touched);
        touched.clear();
        return changed;
    }

    @Nullable
    LeaseRecord find(ObjectKey lease) {
        return records.get(lease);
    }

    void remove(ObjectKey lease) {
        LeaseRecord removed = records.remove(lease);
        if (removed != null) {
            move(removed, null);
        }
    }

    /** Moves a lease into a group, or out of its group, and removes the former group if it is now empty. */
    private void move(LeaseRecord record, @Nullable GroupEntry group) {
        GroupEntry former = record.group();
        record.belongsTo(group);
        if (former != null) {
            dropIfEmpty(former);
        }
    }

    private void dropIfEmpty(GroupEntry group) {
        if (!group.candidates().isEmpty() || !group.leases().isEmpty()) {
            return;
        }
        KeyEntry key = keys.get(group.group().key());
        if (!group.group().isSharded()) {
            groups.remove(group.group().key());
        } else if (key != null) {
            key.families().remove(group.group().shards());
            LeaseRecord named = records.get(key.key());
            Lease lease = named == null ? null : named.current();
            if (key.families().isEmpty() && (lease == null || !lease.closed())) {
                keys.remove(key.key());
            }
        }
    }

    /**
     * Moves a lease into the group that its candidates name. If they name several, the lease stays in its group while a candidate names it.
     *
     * @param named the group that the observed candidate names; {@code null} if it names none, or if a candidate was removed
     */
    private void regroup(LeaseRecord record, @Nullable LeaseGroup named) {
        GroupEntry group = record.group();
        boolean stays = group == null
                ? named == null
                : group.group().isSharded() || group.group().equals(named);
        if (stays) {
            return;
        }
        TreeSet<LeaseGroup> groups = new TreeSet<>();
        Stream.ofNullable(named).forEach(groups::add);
        record.candidates().all().stream()
                .flatMap(candidate -> Stream.ofNullable(candidate.candidate().group()))
                .forEach(groups::add);
        if (group != null && groups.contains(group.group())) {
            return;
        }
        move(record, groups.isEmpty() ? null : groupEntry(groups.first()));
    }

    Set<ObjectKey> keys() {
        return records.keySet();
    }

    /**
     * Handles an event of a watch on leases.
     *
     * @param scope the watched namespace; empty for all
     */
    void onLease(String scope, WatchEvent<Lease> event) {
        Moment now = clock.now();
        if (event instanceof WatchEvent.Snapshot<Lease> snapshot) {
            List<LeaseRecord> listed = records.values().stream()
                    .filter(record -> covers(scope, record.key()))
                    .toList();
            keys.values().forEach(this::doubt);
            Map<ObjectKey, Lease> present = new HashMap<>();
            snapshot.objects().forEach(lease -> present.put(lease.key(), lease));
            for (LeaseRecord record : listed) {
                Lease known = record.current();
                // A lease that is known to be gone may have been created, acquired and deleted again.
                if ((known == null || known.managed()) && !present.containsKey(record.key())) {
                    record.missing(now);
                    touch(record);
                }
            }
            present.values().forEach(lease -> {
                recordOf(lease.key()).listed(lease, now);
                leaseSeen(lease, now, false);
            });
        } else if (event instanceof WatchEvent.Changed<Lease> change) {
            // The watch selects by label: a lease that appears may have existed before, without the label.
            LeaseRecord record = records.get(change.object().key());
            leaseSeen(change.object(), now, record != null && record.current() != null);
        } else if (event instanceof WatchEvent.Removed<Lease> removed) {
            LeaseRecord record = records.get(removed.key());
            if (record != null) {
                record.deleted(now);
                touch(record);
                keyOf(record).ifPresent(this::doubt);
            }
        } else if (event instanceof WatchEvent.Malformed<Lease> malformed) {
            LeaseRecord record = recordOf(malformed.key());
            if (note(record, LeaseRecord.MALFORMED, LEASE + " " + malformed.key() + describe(malformed))) {
                touch(record);
            }
        }
    }

    private static boolean covers(String scope, ObjectKey object) {
        return scope.isEmpty() || scope.equals(object.namespace());
    }

    private void leaseSeen(Lease lease, Moment now, boolean contiguous) {
        LeaseRecord record = recordOf(lease.key());
        join(record, lease);
        Lease before = record.current();
        record.seen(lease, now, contiguous);
        boolean isNew = before == null
                || ResourceVersions.older(before.resourceVersion(), lease.resourceVersion())
                || (!contiguous && !Objects.equals(before.resourceVersion(), lease.resourceVersion()));
        boolean renewed = before != null && isRenewal(before, lease);
        // While a check determines the owner, the holder's renewals leave its lists valid.
        boolean listsStayValid = before != null && contiguous && renewed && before.held() && !before.closed();
        if (isNew) {
            keyOf(record)
                    .filter(key -> contradicts(key, record, lease, contiguous))
                    .filter(key -> key.owner() != KeyOwnership.NOBODY || !listsStayValid)
                    .ifPresent(this::doubt);
        }
        touched.add(lease.key());
        if (!renewed) {
            touch(record);
        }
    }

    /** Adds a lease to the group that its label names or that it was closed for, and registers the key of a closed lease. */
    private void join(LeaseRecord record, Lease lease) {
        if (record.group() == null && (lease.group() != null || lease.closed())) {
            LeaseGroup.ofShard(lease.key())
                    .filter(group -> lease.closed() || group.label().equals(lease.group()))
                    .ifPresent(group -> record.belongsTo(groupEntry(group)));
        }
        if (record.group() == null && lease.owner() != null) {
            keys.computeIfAbsent(lease.key(), KeyEntry::new);
        }
    }

    /**
     * Returns whether a new version of a lease may mean that the known owner of the key is outdated: a lease of the owner that is closed or may have
     * been; a lease of another family that isn't closed; or a version of the lease that is named like the key.
     */
    private boolean contradicts(KeyEntry key, LeaseRecord record, Lease lease, boolean contiguous) {
        boolean ofOwner = familyOf(record) == key.owner();
        boolean named = record.key().equals(key.key());
        return ofOwner ? lease.closed() || !contiguous : named || !lease.closed();
    }

    /** Returns the family of its key that a lease belongs to. */
    static int familyOf(LeaseRecord record) {
        GroupEntry group = record.group();
        return group == null || !group.group().isSharded()
                ? KeyOwnership.PLAIN
                : group.group().shards();
    }

    /** Returns whether only the renew time has changed, which doesn't affect the assignment of the group. */
    private static boolean isRenewal(Lease before, Lease lease) {
        return Objects.equals(before.holder(), lease.holder())
                && Objects.equals(before.acquireTime(), lease.acquireTime())
                && Objects.equals(before.preferredHolder(), lease.preferredHolder())
                && Objects.equals(before.strategy(), lease.strategy());
    }

    /** Handles an event of a watch on candidates, like {@link #onLease}. */
    void onCandidate(String scope, WatchEvent<Candidate> event) {
        Moment now = clock.now();
        if (event instanceof WatchEvent.Snapshot<Candidate> snapshot) {
            Map<ObjectKey, Candidate> present = new HashMap<>();
            snapshot.objects().forEach(candidate -> present.put(candidate.key(), candidate));
            for (CandidateObservation observation : List.copyOf(candidates.values())) {
                Candidate known = observation.candidate();
                Candidate listed = present.get(known.key());
                // An older version than the known one is a restored copy (safety.md#succession).
                boolean gone =
                        listed == null || ResourceVersions.older(listed.resourceVersion(), known.resourceVersion());
                if (covers(scope, known.key()) && gone) {
                    candidateRemoved(known.key());
                }
            }
            present.values().forEach(candidate -> candidateSeen(candidate, now, false));
        } else if (event instanceof WatchEvent.Changed<Candidate> change) {
            candidateSeen(change.object(), now, true);
        } else if (event instanceof WatchEvent.Removed<Candidate> removed) {
            ignored.remove(CANDIDATE + " " + removed.key());
            candidateRemoved(removed.key());
        } else if (event instanceof WatchEvent.Malformed<Candidate> malformed) {
            candidateRemoved(malformed.key());
            malformed(CANDIDATE, malformed);
        }
    }

    private void candidateSeen(Candidate candidate, Moment now, boolean live) {
        if (!namespaces.admits(candidate.key(), candidate.lease())) {
            candidateRemoved(candidate.key());
            foreign(CANDIDATE, candidate.key(), candidate.lease());
            return;
        }
        ignored.remove(CANDIDATE + " " + candidate.key());
        CandidateObservation known = candidates.get(candidate.key());
        if (known != null
                && ResourceVersions.older(
                        candidate.resourceVersion(), known.candidate().resourceVersion())) {
            return;
        }
        candidates.put(
                candidate.key(),
                known == null ? CandidateObservation.first(candidate, now, live) : known.seen(candidate, now));
        if (known != null && known.onlyRenews(candidate, now)) {
            return;
        }
        if (known != null) {
            leave(known.candidate(), candidate, now);
        }
        Optional.ofNullable(candidate.group())
                .ifPresent(group -> groupEntry(group).candidates().add(candidate.key()));
        for (ObjectKey lease : candidate.leases()) {
            LeaseRecord record = recordOf(lease);
            record.add(candidate);
            regroup(record, candidate.group());
            touch(record);
        }
    }

    /** Removes a candidate from the group that it no longer names, and from the leases that it can no longer lead. */
    private void leave(Candidate former, Candidate candidate, Moment now) {
        boolean changesGroup = !Objects.equals(former.group(), candidate.group());
        if (changesGroup) {
            removeFromGroup(former);
        }
        recordsOf(former)
                .filter(record -> changesGroup || !candidate.canLead(record.key()))
                .forEach(record -> {
                    Optional.ofNullable(record.group()).ifPresent(ofLease -> ofLease.unsettle(now));
                    removeCandidate(record, former, now);
                });
    }

    private void removeCandidate(LeaseRecord record, Candidate candidate, Moment now) {
        record.removeCandidate(candidate, now);
        touch(record);
        regroup(record, null);
    }

    /** Replaces the observation of a candidate, which all leases that it can lead share; does nothing if there is none. */
    void update(ObjectKey candidate, UnaryOperator<CandidateObservation> change) {
        candidates.computeIfPresent(candidate, (unused, known) -> change.apply(known));
    }

    /**
     * Records that the ping of a candidate has failed.
     *
     * @param late whether the candidate was treated as silent by then, so that decisions were made without it
     */
    void notPinged(Candidate candidate, boolean late) {
        update(candidate.key(), CandidateObservation::notPinged);
        if (late) {
            recordsOf(candidate).forEach(this::touch);
        }
    }

    private Stream<LeaseRecord> recordsOf(Candidate candidate) {
        return candidate.leases().stream().map(records::get).filter(Objects::nonNull);
    }

    private void removeFromGroup(Candidate candidate) {
        Optional.ofNullable(candidate.group()).map(this::groupEntry).ifPresent(group -> {
            group.candidates().remove(candidate.key());
            dropIfEmpty(group);
        });
    }

    private GroupEntry groupEntry(LeaseGroup group) {
        return group.isSharded()
                ? keys.computeIfAbsent(group.key(), KeyEntry::new)
                        .families()
                        .computeIfAbsent(group.shards(), unused -> new GroupEntry(group, candidates))
                : groups.computeIfAbsent(group.key(), unused -> new GroupEntry(group, candidates));
    }

    // ---- keys (safety.md#one-owner-of-each-key) ------------------------------------------------------------------

    /** Returns the key with shards that has this name; {@code null} if there is none. */
    @Nullable
    KeyEntry key(ObjectKey named) {
        return keys.get(named);
    }

    /** Returns the key with shards that a lease belongs to; empty if there is none. */
    Optional<KeyEntry> keyOf(LeaseRecord record) {
        GroupEntry group = record.group();
        ObjectKey key =
                group != null && group.group().isSharded() ? group.group().key() : record.key();
        return Optional.ofNullable(keys.get(key));
    }

    private void doubt(KeyEntry key) {
        key.doubt();
        touched.add(key.key());
    }

    /** Discards the known owner of a lease's key, so that it is read again. */
    void doubtKeyOf(LeaseRecord record) {
        keyOf(record).ifPresent(this::doubt);
    }

    /** Returns the records of a key's leases, of all families. */
    private List<LeaseRecord> entriesOf(KeyEntry key) {
        List<LeaseRecord> entries = new ArrayList<>();
        Optional.ofNullable(records.get(key.key())).ifPresent(entries::add);
        key.families().values().forEach(group -> entries.addAll(group.leases()));
        return entries;
    }

    /** Returns the existing leases of a key, of all families. */
    Map<ObjectKey, Lease> leasesOf(KeyEntry key) {
        Map<ObjectKey, Lease> leases = new TreeMap<>();
        entriesOf(key)
                .forEach(record ->
                        Optional.ofNullable(record.current()).ifPresent(lease -> leases.put(lease.key(), lease)));
        return leases;
    }

    /** Returns the families of a key that may have a leader. A grant claims nothing: closing it by compare and swap keeps its term from beginning. */
    Set<Integer> heldOf(KeyEntry key, Moment now) {
        Set<Integer> held = new TreeSet<>();
        for (LeaseRecord record : entriesOf(key)) {
            boolean claimed = !now.reached(record.lease(now).busyUntil());
            if (record.unreadable() || (claimed && !isOfOthers(record))) {
                held.add(familyOf(record));
            }
        }
        return held;
    }

    /** Returns whether a Lease that is named like a shard is held by a process that isn't a candidate for shards. */
    static boolean isOfOthers(LeaseRecord record) {
        Lease lease = record.current();
        if (lease == null || !lease.held() || familyOf(record) == KeyOwnership.PLAIN) {
            return false;
        }
        List<Candidate> holders = record.candidates().holding(lease);
        return holders.stream().anyMatch(holder -> holder.group() == null)
                || (!KeyOwnership.belongs(lease) && holders.stream().noneMatch(LeaseTable::isForShards));
    }

    private static boolean isForShards(Candidate candidate) {
        LeaseGroup group = candidate.group();
        return group != null && group.isSharded();
    }

    /** Returns how many candidates of each family of a key aren't silent. */
    SortedMap<Integer, Integer> candidatesOf(KeyEntry key, Duration ackTimeout, Moment now) {
        SortedMap<Integer, Integer> counts = new TreeMap<>();
        LeaseRecord named = records.get(key.key());
        if (named != null) {
            counts.put(
                    KeyOwnership.PLAIN,
                    named.candidates().answering(ackTimeout, now).size());
        }
        key.families()
                .forEach((shards, group) -> counts.put(
                        shards, group.candidates().answering(ackTimeout, now).size()));
        counts.values().removeIf(count -> count == 0);
        return counts;
    }

    /** Returns the last known owner of a key: the one that the lease named like it records, if that is closed. */
    int formerOwner(KeyEntry key) {
        LeaseRecord named = records.get(key.key());
        Lease lease = named == null ? null : named.current();
        return lease == null || lease.owner() == null ? KeyOwnership.PLAIN : LeaseGroup.numberOfOwner(lease.owner());
    }

    /** Returns the leases that are only named like shards of a key. */
    Set<ObjectKey> othersOf(KeyEntry key) {
        Set<ObjectKey> others = new HashSet<>();
        entriesOf(key).stream().filter(LeaseTable::isOfOthers).forEach(record -> others.add(record.key()));
        return others;
    }

    /**
     * Records the result of a list of a key's leases. A lease that isn't in the list is gone, unless the watch has delivered it since.
     *
     * @param before the leases that were known when the list was requested
     */
    void listed(KeyEntry key, List<Lease> leases, Map<ObjectKey, Lease> before) {
        Moment now = clock.now();
        Set<ObjectKey> present = new HashSet<>();
        for (Lease lease : leases) {
            present.add(lease.key());
            LeaseRecord record = recordOf(lease.key());
            join(record, lease);
            if (record.group() == null && KeyOwnership.belongs(lease)) {
                LeaseGroup.ofShard(lease.key()).ifPresent(group -> record.belongsTo(groupEntry(group)));
            }
            record.seen(lease, now, false);
        }
        leasesOf(key).forEach((lease, known) -> {
            if (!present.contains(lease) && known.equals(before.get(lease))) {
                recordOf(lease).missing(now);
            }
        });
    }

    /** Records a lease of a key that this coordinator has just written. */
    void written(Lease lease, boolean created) {
        LeaseRecord record = recordOf(lease.key());
        join(record, lease);
        record.seen(lease, clock.now(), !created);
    }

    /** Has the owner of a key read for a lease that can't be granted until its family owns the key. */
    void awaitOwner(KeyEntry key, LeaseRecord record) {
        if (key.owner() == KeyOwnership.NOBODY && !record.key().equals(key.key())) {
            touched.add(key.key());
        }
    }

    /** Has the leases of a key reconciled now that its owner is known, because some may have waited for that. */
    void ownerKnown(KeyEntry key) {
        entriesOf(key).forEach(record -> touched.add(record.key()));
    }

    void candidateRemoved(ObjectKey key) {
        CandidateObservation removed = candidates.remove(key);
        if (removed != null) {
            Candidate candidate = removed.candidate();
            removeFromGroup(candidate);
            recordsOf(candidate).forEach(record -> removeCandidate(record, candidate, clock.now()));
        }
    }

    /** Handles an event of a watch on configurations, like {@link #onLease}. */
    void onConfiguration(String scope, WatchEvent<LeaseConfiguration> event) {
        if (event instanceof WatchEvent.Snapshot<LeaseConfiguration> snapshot) {
            configurations.keys().stream().filter(key -> covers(scope, key)).forEach(this::forgetConfiguration);
            snapshot.objects().forEach(this::configurationSeen);
        } else if (event instanceof WatchEvent.Changed<LeaseConfiguration> change) {
            configurationSeen(change.object());
        } else if (event instanceof WatchEvent.Removed<LeaseConfiguration> removed) {
            ignored.remove(CONFIGURATION + " " + removed.key());
            forgetConfiguration(removed.key());
        } else if (event instanceof WatchEvent.Malformed<LeaseConfiguration> malformed) {
            forgetConfiguration(malformed.key());
            malformed(CONFIGURATION, malformed);
        }
    }

    private void configurationSeen(LeaseConfiguration configuration) {
        if (configurations.recordStatus(configuration)) {
            return;
        }
        forgetConfiguration(configuration.key());
        if (configurations.add(configuration)) {
            ignored.remove(CONFIGURATION + " " + configuration.key());
            touchNamedBy(configuration);
        } else {
            foreign(CONFIGURATION, configuration.key(), configuration.targetLease());
        }
    }

    private void forgetConfiguration(ObjectKey key) {
        Optional.ofNullable(configurations.remove(key)).ifPresent(this::touchNamedBy);
    }

    private void touchNamedBy(LeaseConfiguration configuration) {
        records.values().stream()
                .filter(record -> configuration.names(record.key()))
                .forEach(this::touch);
    }

    private static String describe(WatchEvent.Malformed<?> event) {
        return " is malformed and is ignored: " + event.problem();
    }

    private void malformed(String kind, WatchEvent.Malformed<?> event) {
        ignore(kind, event.key(), LeaseRecord.MALFORMED, describe(event));
    }

    /**
     * Reports an object that names a lease of another namespace without being allowed to (safety.md#own-namespace). The Event is recorded in the
     * object's own namespace, so that its author can't cause Events in the lease's namespace.
     */
    private void foreign(String kind, ObjectKey object, ObjectKey lease) {
        ignore(
                kind,
                object,
                "ForeignNamespace",
                " is ignored: it names the lease " + lease
                        + " of another namespace; the coordinator's administrator can allow that by adding "
                        + object.namespace() + " to the cross-namespace list");
    }

    /** Reports an ignored object as an Event on the Lease with the object's own name. */
    private void ignore(String kind, ObjectKey object, String reason, String problem) {
        if (ignored.add(kind + " " + object)) {
            journal.warn(Lease.builder(object).build(), reason, kind + " " + object + problem);
        }
    }

    /** Records a problem of a lease, or its end ({@code null}), and reports both; returns whether the problem has just begun. */
    boolean note(LeaseRecord record, String reason, @Nullable String problem) {
        String before = record.note(reason, problem);
        if (before == null && problem != null) {
            journal.warn(about(record), reason, problem);
        } else if (before != null && problem == null) {
            journal.ended(about(record), reason, before);
        }
        return before == null && problem != null;
    }

    static Lease about(LeaseRecord record) {
        Lease lease = record.current();
        return lease == null ? Lease.builder(record.key()).build() : lease;
    }

    private LeaseRecord recordOf(ObjectKey lease) {
        return records.computeIfAbsent(lease, unused -> new LeaseRecord(lease, longestTerm, candidates));
    }

    /** Notes that a lease has to be reconciled. */
    void touch(LeaseRecord record) {
        touched.add(record.key());
        keyOf(record).ifPresent(key -> touched.add(key.key()));
        touchGroup(record);
    }

    /** Notes that the group of a lease has to be assigned again, after a write of this coordinator. */
    void touchGroup(LeaseRecord record) {
        Optional.ofNullable(record.group()).ifPresent(GroupEntry::changed);
    }

    /** Notes that a lease has to be reconciled because it was assigned to another candidate. */
    void reassigned(ObjectKey lease) {
        touched.add(lease);
    }
}
