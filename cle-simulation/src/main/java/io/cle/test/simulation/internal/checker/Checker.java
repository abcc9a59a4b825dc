package io.cle.test.simulation.internal.checker;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import com.google.gson.JsonObject;
import io.cle.RevokeReason;
import io.cle.Term;
import io.cle.kubernetes.internal.transport.ApiRequest;
import io.cle.kubernetes.internal.transport.ApiResponse;
import io.cle.kubernetes.internal.transport.ResourceType;
import io.cle.model.LeaseGroup;
import io.cle.model.ObjectKey;
import io.cle.test.apiserver.store.Metadata;
import io.cle.test.simulation.internal.cluster.CandidateProcess;
import io.cle.test.simulation.internal.cluster.Contender;
import io.cle.test.simulation.internal.cluster.CoordinatorSetup;
import io.cle.test.simulation.internal.cluster.SimulatedCluster;
import io.cle.test.simulation.internal.nemesis.Stranger;
import io.cle.test.simulation.internal.process.History;
import io.cle.test.simulation.internal.process.VirtualProcess;
import io.cle.test.simulation.internal.process.VirtualTime;
import io.cle.test.simulation.internal.server.Network;
import io.cle.test.simulation.internal.server.ObjectSummary;
import io.cle.test.simulation.internal.server.SimulatedServer;
import io.cle.test.simulation.scenario.Excuse;
import io.cle.test.simulation.scenario.Scenario;
import org.jspecify.annotations.Nullable;

/**
 * Checks, in true time and with sight of every process, that all guarantees hold, and records the first violation.
 *
 * <p>A term begins only within a task of its process; between two tasks it can only end. A check after every task therefore covers every
 * instant.
 */
public final class Checker implements SimulatedServer.Auditor, Network.Listener, SimulatedCluster.Observer {

    private static final long SECOND = 1_000_000_000L;
    private static final int CONFLICT = 409;

    /** Longer than the lease duration of any process, in seconds. */
    private static final long LONGEST_LEASE = 40;

    private static final List<String> KINDS_IN_ANY_FORMAT = List.of("leases", "leaseconfigurations");
    private static final List<String> KINDS = List.of("leases", "leaseconfigurations", "leasecandidates");

    private final VirtualTime time;
    private final History history;
    private final ResourceType resource;
    private final int requestsASecond;
    private final Map<VirtualProcess, List<Contender>> contenders = new HashMap<>();
    private final List<Contender> all = new ArrayList<>();

    /** Whether a term annotation of such a duration was ever stored. A process that observed it waits for its end whatever the record is now. */
    private boolean longTermWasAnnotated;

    /** Leases that processes of their own namespace were candidates for, including crashed ones: their candidates outlive them. */
    private final Set<String> ownLeases = new HashSet<>();

    /** Who has written each version of a lease; {@code null} for an administrator. */
    private final Map<Long, @Nullable VirtualProcess> writers = new HashMap<>();

    /** The process that first wrote each term: an administrator may have edited its record, or put it back. */
    private final Map<String, VirtualProcess> termWriters = new HashMap<>();

    /** The last creation of a lease that each process has sent, if the lease was there when it arrived. */
    private final Map<VirtualProcess, Collision> collisions = new HashMap<>();

    private final Map<VirtualProcess, ObservedVersions> observed = new HashMap<>();
    private final Map<String, LeaseView> leases = new HashMap<>();
    private final Map<ObjectKey, LastTerm> lastTerm = new HashMap<>();

    /** What had been delivered to the process of each leader when its last term began: what came later couldn't keep it from leading. */
    private final Map<Contender, ObservedVersions> observedAtBegin = new HashMap<>();

    private final Map<VirtualProcess, Rate> rates = new HashMap<>();
    private final Set<VirtualProcess> coordinators = new HashSet<>();

    /** The term that each version of a lease shows. */
    private final Map<Long, String> shownTerms = new HashMap<>();

    private final KnownAnomalies anomalies = new KnownAnomalies(shownTerms);
    private final Restores restores;
    private final Map<VirtualProcess, Set<String>> unlisted = new HashMap<>();
    private @Nullable String violation;
    private int terms;
    private int requests;

    /**
     * A creation of an existing lease.
     *
     * @param term the term in the lease
     */
    private record Collision(ApiRequest request, String term) {}

    /** The last term of a lease, and what had been delivered to its leader's process when it began. */
    private record LastTerm(long token, ObservedVersions observed) {}

    private static final class Rate {
        private long second;
        private int requests;
    }

    /**
     * A checker of a cluster that has not been started.
     *
     * @param resource the kind of object that holds the lease
     * @param requestsASecond how many requests a process may send within a second; more are a busy loop
     * @param leaseDuration of all processes, in nanoseconds
     */
    public Checker(VirtualTime time, History history, ResourceType resource, int requestsASecond, long leaseDuration) {
        this.time = time;
        this.history = history;
        this.resource = resource;
        this.requestsASecond = requestsASecond;
        this.restores = new Restores(leaseDuration, shownTerms);
    }

    @Override
    public void add(Contender contender) {
        all.add(contender);
        ownLeases.add(contender.lease().toString());
        LeaseGroup group = contender.group();
        if (group != null) {
            ownLeases.add(group.key().toString());
        }
        contenders
                .computeIfAbsent(contender.process(), unused -> new ArrayList<>(1))
                .add(contender);
    }

    @Override
    public void addCoordinator(VirtualProcess process, CoordinatorSetup setup, boolean changing) {
        coordinators.add(process);
        unlisted.put(process, new HashSet<>());
        for (String plural : changing ? KINDS_IN_ANY_FORMAT : KINDS) {
            for (String namespace : setup.namespaces().isEmpty() ? Set.of("") : setup.namespaces()) {
                unlisted.get(process).add(plural + " " + namespace);
            }
        }
    }

    @Override
    public void answered(VirtualProcess process, ApiRequest request, ApiResponse.Answered answer) {
        if (answer.status() == CONFLICT) {
            refused(process, request);
        }
        Set<String> missing = unlisted.get(process);
        if (missing == null || missing.isEmpty() || request.verb() != ApiRequest.Verb.LIST || !answer.ok()) {
            return;
        }
        if (Metadata.text(Metadata.of(answer.body()), "continue").isEmpty()) {
            String namespace = request.namespace();
            missing.remove(request.resource().plural() + " " + (namespace == null ? "" : namespace));
        }
    }

    /** safety.md#seen-everything: a coordinator that hasn't listed everything must not elect, ping or remove anything. */
    private void decidesOnlyWhenEverythingIsKnown(VirtualProcess process, ApiRequest request) {
        Set<String> missing = unlisted.get(process);
        if (missing != null
                && !missing.isEmpty()
                && request.verb().writes()
                && Scenario.LEASE.namespace().equals(request.namespace())
                && !request.resource().plural().equals("events")) {
            violated(process.name() + " has not listed all " + missing + " and sends " + ObjectSummary.of(request));
        }
    }

    @Override
    public void gone(VirtualProcess process) {
        all.removeIf(contender -> contender.process() == process);
        contenders.remove(process);
    }

    /** The first violation; null if there is none. */
    @Nullable
    public String violation() {
        return violation;
    }

    /** Records a violation; the first one wins. */
    public void violated(String what) {
        if (violation == null) {
            violation = what;
            history.line("CHECKER", what);
        }
    }

    /** How often two processes led because of a known anomaly. */
    public int anomalies() {
        return anomalies.count() + restores.anomalies();
    }

    /** Records an excuse for this run. */
    public void notDemanded(Excuse excuse) {
        anomalies.notDemanded(excuse);
    }

    /** The count of each excuse. */
    public Map<Excuse, Integer> excuses() {
        Map<Excuse, Integer> excuses = new EnumMap<>(Excuse.class);
        excuses.putAll(anomalies.excuses());
        if (restores.anomalies() > 0) {
            excuses.put(Excuse.RESTORED_FROM_BACKUP, restores.anomalies());
        }
        return excuses;
    }

    /** How many terms have begun. */
    public int terms() {
        return terms;
    }

    /** How many requests were sent. */
    public int requests() {
        return requests;
    }

    /** The leader of a lease; null if there is none. */
    @Nullable
    Contender leader(ObjectKey lease) {
        for (Contender contender : all) {
            if (contender.leads() && contender.lease().equals(lease)) {
                return contender;
            }
        }
        return null;
    }

    /**
     * Whether no process leads, but a claim may run that only an administrator ends: the record has a longer duration than any that a process or
     * client-go's elector writes, or the annotation of a term or preemption once had.
     */
    public boolean longClaimRuns(ObjectKey key) {
        LeaseView lease = lease(key);
        return leader(key) == null && (longTermWasAnnotated || (lease != null && lease.claimsFor() > LONGEST_LEASE));
    }

    /** A lease as it is stored; null if there is none. */
    @Nullable
    LeaseView lease(ObjectKey key) {
        return leases.get(key.toString());
    }

    // ---- terms ---------------------------------------------------------------------------------------------------

    @Override
    public void stepped(VirtualProcess process) {
        List<Contender> of = contenders.get(process);
        if (of != null) {
            for (Contender contender : of) {
                look(contender);
            }
        }
    }

    private void look(Contender contender) {
        if (!contender.leads()) {
            if (contender.endedAt == null) {
                contender.endedAt = contender.process().clock().nanos();
            }
            return;
        }
        contender.endedAt = null;
        if (contender.token() != contender.seenToken) {
            begun(contender);
        }
        for (Contender other : all) {
            if (other != contender && other.excludes(contender) && other.leads()) {
                if (!contender.ours() && !other.ours()) {
                    anomalies.twoOfClientGo();
                    continue;
                }
                ObservedVersions delivered = observedAtBegin(contender);
                ObservedVersions deliveredToOther = observedAtBegin(other);
                if (anomalies.twoLeaders(contender, other, delivered, deliveredToOther)
                        || restores.twoLeaders(contender, other, delivered, deliveredToOther)) {
                    continue;
                }
                String what = other.lease().equals(contender.lease())
                        ? contender.lease().toString()
                        : contender.lease() + " and " + other.lease() + ", which have keys in common,";
                violated("two processes lead " + what + " at one instant: " + name(contender) + " with token "
                        + contender.token() + ", and " + name(other) + " with token " + other.token());
            }
        }
    }

    private ObservedVersions observedAtBegin(Contender contender) {
        return observedAtBegin.getOrDefault(contender, ObservedVersions.NOTHING);
    }

    private void begun(Contender contender) {
        long token = contender.token();
        contender.seenToken = token;
        observedAtBegin.put(contender, observedBy(contender.process()).soFar());
        terms++;
        history.record((int) token);
        if (history.on()) {
            history.line(
                    contender.process().name(), "LEADS " + contender.lease().name() + ", token " + token);
        }
        if (!contender.ours()) {
            return;
        }
        LastTerm last = lastTerm.get(contender.lease());
        if (last == null || restores.before(last.token(), token)) {
            lastTerm.put(contender.lease(), new LastTerm(token, observedAtBegin(contender)));
        } else if (restores.historyOf(token) == restores.historyOf(last.token())
                && !anomalies.olderTerm(contender, last.token(), last.observed())) {
            violated("the fencing token does not grow: " + name(contender) + " leads with " + token + " after "
                    + last.token());
        }
        if (termWriters.get(shownTerms.get(token)) != contender.process()) {
            violated("a term began without a write: " + name(contender) + " leads with token " + token
                    + ", which is of no write of its own");
        }
    }

    @Override
    public void granted(Contender contender, Term term) {
        if (history.on()) {
            history.line(contender.process().name(), "granted " + term.fencingToken());
        }
        if (contender.granted != null) {
            violated(name(contender) + " was granted " + term.fencingToken() + " before "
                    + contender.granted.fencingToken() + " was revoked");
        }
        contender.granted = term;
        contender.work = term;
    }

    @Override
    public void revoked(Contender contender, Term term, RevokeReason reason) {
        if (history.on()) {
            history.line(contender.process().name(), "revoked " + term.fencingToken() + " (" + reason + ")");
        }
        if (!term.equals(contender.granted)) {
            violated(name(contender) + " had " + term.fencingToken() + " revoked, and was granted "
                    + (contender.granted == null ? "nothing" : String.valueOf(contender.granted.fencingToken())));
        }
        contender.granted = null;
        if (contender.leads() && contender.token() == term.fencingToken()) {
            violated(name(contender) + " still leads with " + term.fencingToken()
                    + " when its listeners learn of the end");
        }
    }

    /** Checks that the listeners of the leader were called, and those of all others learned that their term is over. */
    public void settled() {
        for (Contender contender : all) {
            boolean led = contender.granted != null;
            if (restores.count() == 0
                    && contender instanceof CandidateProcess candidate
                    && candidate.lock().snapshot().history().stream()
                            .anyMatch(entry -> entry.what().contains("etcd was restored from a backup"))) {
                violated(name(contender) + " has mistaken a lagging API server for a restored one");
            }
            if (contender.ours() && led != contender.leads()) {
                violated(name(contender)
                        + (led
                                ? " does not lead any more, and its listeners never learned of it"
                                : " leads, and its listeners never learned of it"));
            }
        }
    }

    // ---- what is written -----------------------------------------------------------------------------------------

    @Override
    public void changed(String type, JsonObject object, @Nullable VirtualProcess by) {
        String key = key(object);
        boolean deleted = type.equals("DELETED");
        LeaseView after = LeaseView.of(object);
        LeaseView before = deleted ? leases.remove(key) : leases.put(key, after);
        longTermWasAnnotated |= after.termSeconds() > LONGEST_LEASE;
        if (after.term() != null) {
            shownTerms.put(after.version(), after.term());
        }
        history.record((int) after.version());
        if (history.on()) {
            history.line(
                    "API server",
                    (deleted ? "deletes " : "stores ")
                            + ObjectSummary.object(object)
                            + (by == null ? " for an administrator" : " for " + by.name()));
        }
        restores.written(after.version());
        writers.put(after.version(), by);
        if (by == null) {
            anomalies.edited(key, deleted, before, after);
            return;
        }
        if (after.term() != null) {
            termWriters.putIfAbsent(after.term(), by);
        }
        if (deleted) {
            violated(by.name() + " has deleted the lease " + key);
            return;
        }
        if (coordinators.contains(by)) {
            strangersGetNothing(by, key, before, after);
        }
        if (before != null) {
            compare(by, key, before, after);
        }
    }

    /** safety.md#own-namespace. */
    private void strangersGetNothing(VirtualProcess by, String key, @Nullable LeaseView before, LeaseView after) {
        if (Stranger.is(after.holder()) || Stranger.is(after.preferred())) {
            violated(by.name() + " gives " + key + " to a candidate of another namespace: " + after);
        }
        if (before == null && !ownLeases.contains(key)) {
            violated(by.name() + " has created " + key + " for a candidate of another namespace");
        }
    }

    @Override
    public void restored(long backedUpAt, List<JsonObject> stored, long awayFor) {
        leases.clear();
        for (JsonObject lease : stored) {
            leases.put(key(lease), LeaseView.of(lease));
            if (history.on()) {
                history.line("API server", "has " + ObjectSummary.object(lease) + " again");
            }
        }
        Set<Contender> unaware = new HashSet<>();
        for (Contender contender : all) {
            if (observedBy(contender.process())
                    .ofLease(contender.lease().name())
                    .noneMatch(version -> restores.historyOf(version) == restores.count() && version > backedUpAt)) {
                unaware.add(contender);
            }
        }
        restores.restored(Map.copyOf(leases), awayFor, unaware);
    }

    @Override
    public void died(String what) {
        violated(what);
    }

    private void compare(VirtualProcess by, String key, LeaseView before, LeaseView after) {
        String preferred = after.preferred();
        boolean asksToYield = preferred != null && !preferred.equals(before.preferred());
        if (asksToYield && coordinators.contains(by) && !before.coordinated()) {
            violated(by.name() + " asks the holder of " + key + " to yield, which no coordinator has elected");
        }
        if (asksToYield && coordinators.contains(by) && heldByPlain(before)) {
            violated(by.name() + " asks the holder of " + key + " to yield: " + before.holder()
                    + ", which follows no coordinator");
        }
        if (before.holder() == null || before.holder().equals(after.holder())) {
            return;
        }
        for (Contender contender : contenders.getOrDefault(by, List.of())) {
            Long ended = contender.endedAt;
            if (contender.lease().toString().equals(key)
                    && contender.identity().equals(before.holder())
                    && contender.work != null
                    && mayBeOf(contender.work, before)
                    && (ended == null || contender.process().clock().nanos() - ended < contender.drainTimeout())) {
                violated(name(contender) + " has handed the lease over while its work still runs");
            }
        }
    }

    /**
     * Whether a record is of a term. After a restore, the record of an earlier term may be back, and a late release sent at the end of that term
     * still matches it; any other process knows of the running term, or of the restore (safety.md#succession).
     */
    private boolean mayBeOf(Term term, LeaseView record) {
        return restores.count() == 0 || Objects.equals(shownTerms.get(term.fencingToken()), record.term());
    }

    private boolean heldByPlain(LeaseView lease) {
        return all.stream()
                .anyMatch(contender -> !contender.ours() && contender.identity().equals(lease.holder()));
    }

    @Override
    public void arrived(VirtualProcess process, ApiRequest request) {
        if (!resource.equals(request.resource()) || !request.verb().writes()) {
            return;
        }
        if (request.verb() == ApiRequest.Verb.CREATE) {
            collisions.remove(process);
            LeaseView there = leases.get(key(Objects.requireNonNull(request.body())));
            if (there != null && there.term() != null) {
                collisions.put(process, new Collision(request, there.term()));
            }
            return;
        }
        long version = Metadata.version(Objects.requireNonNull(request.body()));
        if (request.verb() != ApiRequest.Verb.PATCH || version == 0) {
            violated(process.name() + " writes a lease without compare and swap: " + ObjectSummary.of(request));
        } else if (!observedBy(process).has(version)) {
            violated(process.name() + " writes over a version that it has never read: " + ObjectSummary.of(request));
        }
    }

    @Override
    public void delivered(VirtualProcess process, JsonObject object) {
        List<Contender> of = contenders.getOrDefault(process, List.of());
        boolean mayBeIgnored = object.has("items")
                && !coordinators.contains(process)
                && !of.isEmpty()
                && of.stream().noneMatch(Contender::listens);
        versionsOf(process).add(object, !mayBeIgnored);
    }

    /** A refused creation shows its process that a term may run, until it sees another writer's record of the lease. */
    private void refused(VirtualProcess process, ApiRequest request) {
        Collision collision = collisions.get(process);
        if (collision != null && collision.request().equals(request)) {
            versionsOf(process).refusedFor(collision.term());
        }
    }

    private ObservedVersions versionsOf(VirtualProcess process) {
        // Not computeIfAbsent: each delivery would make a lambda for it.
        ObservedVersions known = observed.get(process);
        if (known != null) {
            return known;
        }
        ObservedVersions none =
                new ObservedVersions(version -> writers.containsKey(version) && writers.get(version) != process);
        observed.put(process, none);
        return none;
    }

    private ObservedVersions observedBy(@Nullable VirtualProcess process) {
        return observed.getOrDefault(process, ObservedVersions.NOTHING);
    }

    // ---- how much ------------------------------------------------------------------------------------------------

    @Override
    public void sent(VirtualProcess process, ApiRequest request) {
        requests++;
        decidesOnlyWhenEverythingIsKnown(process, request);
        Rate rate = rates.computeIfAbsent(process, unused -> new Rate());
        long second = time.now() / SECOND;
        if (second != rate.second) {
            rate.second = second;
            rate.requests = 0;
        }
        if (++rate.requests > requestsASecond) {
            violated(process.name() + " sends more than " + requestsASecond + " requests a second, the last one "
                    + ObjectSummary.of(request));
        }
    }

    @Override
    public void failed(VirtualProcess process, RuntimeException failure) {
        violated(process.name() + " has failed: " + failure + " at " + failure.getStackTrace()[0]);
    }

    private static String key(JsonObject lease) {
        JsonObject metadata = Metadata.of(lease);
        return Metadata.text(metadata, "namespace") + "/" + Metadata.text(metadata, "name");
    }

    private static String name(Contender contender) {
        return contender.process().name() + " (" + contender.identity() + ")";
    }
}
