package io.cle.election.internal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;

import com.google.gson.JsonObject;
import io.cle.LeadershipListener;
import io.cle.LockSnapshot;
import io.cle.Resignation;
import io.cle.Term;
import io.cle.election.internal.api.CoordinatorClient;
import io.cle.kubernetes.internal.client.ObjectClient;
import io.cle.kubernetes.internal.transport.ApiRequest;
import io.cle.kubernetes.internal.transport.ApiResponse;
import io.cle.kubernetes.internal.transport.KubernetesTransport;
import io.cle.kubernetes.internal.transport.ResourceType;
import io.cle.lock.internal.LeaseLock;
import io.cle.lock.internal.VirtualLoop;
import io.cle.loop.internal.LoggedLines;
import io.cle.model.LeaseGroup;
import io.cle.model.ObjectKey;
import io.cle.model.internal.Lease;
import io.cle.store.internal.Subscription;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Replicas that lead the shards of one lease, and the coordinator that spreads them: all of the product above the transport, on virtual time. What
 * holds in every history, under every kind of fault, is simulated ({@code ClusterKind.SHARDED}).
 * Rules: {@code protocol.md#even-shards}, {@code safety.md#one-owner-of-each-key}.
 */
class ShardsTest {

    private static final LeaseGroup GROUP = new LeaseGroup("shop", "orders", 16);
    private static final LeaseGroup EIGHT = new LeaseGroup("shop", "orders", 8);

    /** The end of the path of the Lease that says how many shards are effective. */
    private static final String NUMBER = "/leases/orders";

    /** Keeps what the locks report out of the log of the build. */
    @RegisterExtension
    final LoggedLines log = new LoggedLines(LeaseLock.class);

    @RegisterExtension
    final LoggedLines ofTheCoordinator = new LoggedLines(CoordinatorJournal.class);

    private final VirtualLoop loop = new VirtualLoop();
    private final ApiInMemory api = new ApiInMemory(loop);
    private final Map<String, Replica> replicas = new TreeMap<>();

    private Coordinator coordinator;

    @BeforeEach
    void coordinate() {
        coordinator = coordinate(api.client);
    }

    private List<ElectionView> views(LeaseGroup group) {
        CompletableFuture<List<ElectionView>> views =
                coordinator.views(group.leases()).toCompletableFuture();
        loop.runReady();
        return views.join();
    }

    private Coordinator coordinate(CoordinatorClient client) {
        Coordinator coordinator = ApiInMemory.newCoordinator(loop);
        coordinator.use(client);
        coordinator.coordinate();
        loop.runReady();
        return coordinator;
    }

    /** The connection of a coordinator whose watches can be made to lag, as can its requests. */
    private final class Lagging implements KubernetesTransport {
        private final List<Runnable> heldBack = new ArrayList<>();
        private boolean lags;

        /** How long it takes until a write of that Lease reaches the API server. */
        private Duration writing = Duration.ZERO;

        /** How long it takes until a write of a shard's Lease reaches the API server. */
        private Duration granting = Duration.ZERO;

        /** How long it takes until the response to a read of that Lease arrives, by how many reads were sent before. */
        private final Map<Integer, Duration> answering = new HashMap<>();

        private int reads;

        CoordinatorClient client() {
            return new CoordinatorClient(
                    new ObjectClient(this, loop, new Random(4), Duration.ofSeconds(5)),
                    ResourceType.CRD_CANDIDATES,
                    Set.of(),
                    "another-coordinator");
        }

        @Override
        public CompletionStage<ApiResponse> send(ApiRequest request) {
            CompletableFuture<ApiResponse> answer = new CompletableFuture<>();
            if (!request.path().endsWith(NUMBER)) {
                boolean late = request.path().contains("/leases/") && request.verb() != ApiRequest.Verb.GET;
                if (!late || granting.isZero()) {
                    return api.send(request);
                }
                loop.schedule(granting, () -> api.send(request).thenAccept(answer::complete));
            } else if (request.verb() == ApiRequest.Verb.GET) {
                Duration late = answering.getOrDefault(reads++, Duration.ZERO);
                api.send(request).thenAccept(response -> loop.schedule(late, () -> answer.complete(response)));
            } else {
                loop.schedule(writing, () -> api.send(request).thenAccept(answer::complete));
            }
            return answer;
        }

        @Override
        public Subscription watch(ApiRequest request, WatchStream stream) {
            return api.watch(request, new WatchStream() {
                @Override
                public void onEvent(JsonObject event) {
                    deliver(() -> stream.onEvent(event));
                }

                @Override
                public void onEnd(WatchEnd end) {
                    deliver(() -> stream.onEnd(end));
                }
            });
        }

        private void deliver(Runnable delivery) {
            if (lags) {
                heldBack.add(delivery);
            } else {
                delivery.run();
            }
        }

        void catchUp() {
            lags = false;
            heldBack.forEach(Runnable::run);
            heldBack.clear();
        }

        @Override
        public void close() {}
    }

    /** One process: its locks, its candidate, and its connection. */
    private final class Replica implements KubernetesTransport {
        private final Map<Integer, LeaseLock> locks = new LinkedHashMap<>();
        private final String identity;
        private boolean reachable = true;

        /** How long a write of its candidate takes. */
        private Duration announcing = Duration.ZERO;

        /** The shards whose Leases it may not write. */
        private Set<Integer> forbidden = Set.of();

        private int watches;

        Replica(String name, LeaseGroup group) {
            identity = group.name() + "-" + name;
            List<LeaseLock> ofShards = GroupLocks.of(group, identity, group.leases(), this, loop);
            for (int shard = 0; shard < group.shards(); shard++) {
                locks.put(shard, ofShards.get(shard));
            }
        }

        Replica start() {
            locks.values().forEach(LeaseLock::start);
            loop.runReady();
            return this;
        }

        void stop() {
            locks.values().forEach(LeaseLock::stop);
            loop.runReady();
        }

        List<Integer> led() {
            return locks.entrySet().stream()
                    .filter(lock -> lock.getValue().isLeader())
                    .map(Map.Entry::getKey)
                    .toList();
        }

        /** Returns what the work of all terms waits for before it ends. */
        CompletableFuture<Void> workEnds() {
            CompletableFuture<Void> end = new CompletableFuture<>();
            locks.values()
                    .forEach(lock -> lock.addListener(new LeadershipListener() {
                        @Override
                        public CompletionStage<Void> drained(Term term) {
                            return end;
                        }
                    }));
            return end;
        }

        /** Returns the history that its locks recorded. */
        Set<String> history() {
            return locks.values().stream()
                    .flatMap(lock -> lock.snapshot().history().stream())
                    .map(LockSnapshot.HistoryEntry::what)
                    .collect(Collectors.toSet());
        }

        @Override
        public CompletionStage<ApiResponse> send(ApiRequest request) {
            boolean refused = request.verb() != ApiRequest.Verb.GET
                    && forbidden.stream()
                            .anyMatch(shard -> request.path()
                                    .endsWith('/' + GROUP.lease(shard).name()));
            if (refused) {
                return CompletableFuture.completedStage(new ApiResponse.Answered(403, new JsonObject(), null));
            }
            boolean late = !announcing.isZero() && request.resource().equals(ResourceType.CRD_CANDIDATES);
            if (reachable && !late) {
                return api.send(request);
            }
            CompletableFuture<ApiResponse> answer = new CompletableFuture<>();
            if (reachable) {
                loop.schedule(announcing, () -> api.send(request).thenAccept(answer::complete));
                return answer;
            }
            loop.schedule(request.timeout(), () -> answer.complete(new ApiResponse.Unanswered("unreachable")));
            return answer;
        }

        @Override
        public void close() {}

        @Override
        public Subscription watch(ApiRequest request, WatchStream stream) {
            watches++;
            return api.watch(request, stream);
        }
    }

    private Replica replica(String name) {
        return replica(name, GROUP);
    }

    private Replica replica(String name, LeaseGroup group) {
        Replica replica = new Replica(name, group);
        replicas.put(name, replica);
        return replica;
    }

    private List<Integer> counts() {
        return replicas.values().stream().map(replica -> replica.led().size()).toList();
    }

    private Map<Integer, String> leaders() {
        Map<Integer, String> leaders = new TreeMap<>();
        replicas.forEach((name, replica) -> replica.led().forEach(shard -> {
            assertThat(leaders.put(shard, name)).as("two lead shard %d", shard).isNull();
        }));
        return leaders;
    }

    @Test
    void shardsAreAllLedByTheFirstReplica() {
        replica("a").start();
        loop.advance(Duration.ofSeconds(1));
        assertThat(leaders()).hasSize(16);
    }

    @Test
    void shardsAreSpreadEvenlyOverThreeReplicas() {
        List.of("a", "b", "c").forEach(name -> replica(name).start());
        loop.advance(Duration.ofSeconds(10));
        assertThat(leaders()).hasSize(16);
        assertThat(counts()).containsExactlyInAnyOrder(6, 5, 5);
    }

    @Test
    void aJoinMovesNoMoreShardsThanBalanceDemands() {
        List.of("a", "b", "c").forEach(name -> replica(name).start());
        loop.advance(Duration.ofSeconds(10));
        Map<Integer, String> before = leaders();
        replica("d").start();
        loop.advance(Duration.ofSeconds(10));
        Map<Integer, String> after = leaders();
        assertThat(counts()).containsExactly(4, 4, 4, 4);
        assertThat(after.entrySet().stream().filter(it -> !it.getValue().equals(before.get(it.getKey()))))
                .hasSize(4)
                .allMatch(it -> it.getValue().equals("d"));
    }

    @Test
    void noShardMovesForTwoSecondsAfterAReplicaCame() {
        replica("a").start();
        loop.advance(Duration.ofSeconds(5));
        replica("b").start();
        loop.advance(Duration.ofMillis(1500));
        replica("c").start();
        loop.advance(Duration.ofMillis(1900));
        assertThat(counts()).containsExactly(16, 0, 0);
        loop.advance(Duration.ofSeconds(3));
        assertThat(counts()).containsExactlyInAnyOrder(6, 5, 5);
    }

    @Test
    void aHandOverThatIsUnderWayIsNotTakenBack() {
        Replica a = replica("a");
        CompletableFuture<Void> workEnds = a.workEnds();
        a.start();
        loop.advance(Duration.ofSeconds(5));
        replica("b").start();
        loop.advance(Duration.ofSeconds(3));
        Map<ObjectKey, String> successors = successors();
        assertThat(successors).hasSize(8);
        replica("c").start();
        for (int i = 0; i < 100; i++) {
            loop.advance(Duration.ofMillis(100));
            assertThat(successors()).containsAllEntriesOf(successors);
        }
        workEnds.complete(null);
        loop.advance(Duration.ofSeconds(10));
        assertThat(counts()).containsExactlyInAnyOrder(6, 5, 5);
    }

    /** Returns to whom each shard is being handed over. */
    private Map<ObjectKey, String> successors() {
        return GROUP.leases().stream()
                .filter(lease -> api.leases().get(lease).endOfTerm())
                .collect(Collectors.toMap(
                        lease -> lease, lease -> api.leases().get(lease).preferredHolder()));
    }

    @Test
    void aReplicaThatStopsGivesAllOfItsShardsAwayAtOnce() {
        List.of("a", "b", "c", "d").forEach(name -> replica(name).start());
        loop.advance(Duration.ofSeconds(10));
        Map<Integer, String> before = leaders();
        replicas.get("b").stop();
        loop.advance(Duration.ofSeconds(1));
        Map<Integer, String> after = leaders();
        assertThat(after).hasSize(16);
        assertThat(counts()).containsExactlyInAnyOrder(6, 0, 5, 5);
        assertThat(before.entrySet().stream()
                        .filter(it -> !it.getValue().equals("b"))
                        .allMatch(it -> it.getValue().equals(after.get(it.getKey()))))
                .isTrue();
        assertThat(api.candidates()).hasSize(3);
    }

    @Test
    void aReplicaWhoseLocksStopOneByOneIsGivenNoOtherShardMeanwhile() {
        List.of("a", "b", "c", "d").forEach(name -> replica(name).start());
        loop.advance(Duration.ofSeconds(20));
        Map<Integer, String> before = leaders();
        for (LeaseLock lock : replicas.get("a").locks.values()) {
            lock.stop();
            loop.advance(Duration.ofMillis(20));
        }
        loop.advance(Duration.ofSeconds(20));
        Map<Integer, String> after = leaders();
        assertThat(counts()).containsExactlyInAnyOrder(0, 6, 5, 5);
        assertThat(moves()).as("moves, with those of the start").isEqualTo(12 + 4);
        assertThat(after.entrySet().stream().filter(it -> !it.getValue().equals(before.get(it.getKey()))))
                .hasSize(4);
    }

    @Test
    void shardsWhoseGrantIsUnderWayCountWhenOthersAreAssigned() {
        coordinator.close();
        Lagging slow = new Lagging();
        coordinator = coordinate(slow.client());
        List.of("a", "b", "c", "d").forEach(name -> replica(name).start());
        loop.advance(Duration.ofSeconds(20));
        Map<Integer, String> before = leaders();
        slow.granting = Duration.ofMillis(200);
        List<LeaseLock> lastFirst = new ArrayList<>(replicas.get("a").locks.values());
        Collections.reverse(lastFirst);
        for (LeaseLock lock : lastFirst) {
            lock.stop();
            loop.advance(Duration.ofMillis(5));
        }
        loop.advance(Duration.ofSeconds(20));
        Map<Integer, String> after = leaders();
        assertThat(counts()).containsExactlyInAnyOrder(0, 6, 5, 5);
        assertThat(after.entrySet().stream().filter(it -> !it.getValue().equals(before.get(it.getKey()))))
                .hasSize(4);
    }

    @Test
    void aKilledReplicasShardsAreSpreadOverTheOthers() {
        List.of("a", "b", "c", "d").forEach(name -> replica(name).start());
        loop.advance(Duration.ofSeconds(10));
        replicas.get("b").reachable = false;
        loop.advance(Duration.ofSeconds(16));
        assertThat(leaders()).hasSize(16);
        assertThat(counts()).containsExactlyInAnyOrder(6, 0, 5, 5);
    }

    @Test
    void shardsThatAReplicaMayNotAcquireAreLedByTheOtherAndNoShardMovesForEver() {
        replica("a").start();
        loop.advance(Duration.ofSeconds(10));
        Replica b = replica("b");
        b.forbidden = Set.of(3, 12);
        b.start();
        loop.advance(Duration.ofMinutes(2));
        assertThat(counts()).containsExactly(8, 8);
        int moves = moves();

        for (int minute = 0; minute < 15; minute++) {
            loop.advance(Duration.ofMinutes(1));
        }

        assertThat(moves() - moves).isZero();
        assertThat(counts()).containsExactly(8, 8);
    }

    private int moves() {
        return views(GROUP).stream()
                .mapToInt(view -> view.past().terms().size() - 1)
                .sum();
    }

    @Test
    void aReplicaThatCouldNotAcquireAnyShardIsGivenItsShareOnceItCan() {
        replica("a").start();
        loop.advance(Duration.ofSeconds(10));
        Replica b = replica("b");
        b.forbidden = Set.copyOf(b.locks.keySet());
        b.start();
        loop.advance(Duration.ofMinutes(10));
        assertThat(counts()).containsExactly(16, 0);

        b.forbidden = Set.of();
        loop.advance(HoldOffs.LENGTH.plusMinutes(1));

        assertThat(counts()).containsExactly(8, 8);
    }

    @Test
    void aReplicaThatRenewsItsShardsLeadsOnAlthoughItsCandidateDoesNotAnswer() {
        List.of("a", "b", "c").forEach(name -> replica(name).start());
        loop.advance(Duration.ofSeconds(10));
        Replica a = replicas.get("a");
        List<Integer> led = a.led();
        a.announcing = Duration.ofHours(1);
        replicas.get("c").reachable = false;
        for (int second = 0; second < 60; second++) {
            loop.advance(Duration.ofSeconds(1));
            assertThat(a.led()).isEqualTo(led);
        }
        assertThat(leaders()).hasSize(16);
    }

    @Test
    void aShardIsNotHandedOverToAReplicaThatHasWithdrawnFromIt() {
        Replica a = replica("a").start();
        Replica b = replica("b").start();
        loop.advance(Duration.ofSeconds(10));
        int shard = a.led().get(0);
        b.locks.get(shard).stop();
        loop.advance(Duration.ofSeconds(1));

        CompletableFuture<Resignation> resigned =
                a.locks.get(shard).resign(b.identity).toCompletableFuture();
        loop.advance(Duration.ofSeconds(1));

        assertThat(resigned).isCompletedWithValue(Resignation.NOT_A_CANDIDATE);
        assertThat(a.led()).contains(shard);
    }

    @Test
    void oneWatchAndOneCandidateServeAllShardsOfAReplica() {
        Replica a = replica("a").start();
        loop.advance(Duration.ofSeconds(10));
        assertThat(a.watches).as("of the leases, and of the candidate").isEqualTo(2);
        assertThat(api.candidates()).hasSize(1);
        assertThat(api.pings).as("one question for all shards").hasSizeLessThan(3);
    }

    @Test
    void renewalsOfAReplicasShardsAreSpreadOverTheRenewInterval() {
        Replica a = replica("a").start();
        loop.advance(Duration.ofSeconds(10));
        int most = 0;
        int writes = 0;
        for (int tenth = 0; tenth < 300; tenth++) {
            int before = api.leaseWrites;
            loop.advance(Duration.ofMillis(100));
            most = Math.max(most, api.leaseWrites - before);
            writes += api.leaseWrites - before;
        }
        assertThat(a.led()).hasSize(16);
        assertThat(most).as("in a tenth of a second").isLessThanOrEqualTo(2);
        assertThat(writes)
                .as("in half a minute, one each three seconds for each shard")
                .isBetween(155, 165);
    }

    @Test
    void aResignedShardIsLedByAnotherReplicaWhichGivesOneAwayInItsPlace() {
        List.of("a", "b").forEach(name -> replica(name).start());
        loop.advance(Duration.ofSeconds(10));
        Map<Integer, String> before = leaders();
        int shard = replicas.get("a").led().get(0);
        replicas.get("a").locks.get(shard).resign();
        loop.advance(Duration.ofSeconds(5));
        Map<Integer, String> after = leaders();
        assertThat(after.get(shard)).isEqualTo("b");
        assertThat(counts()).containsExactly(8, 8);
        assertThat(after.entrySet().stream().filter(it -> !it.getValue().equals(before.get(it.getKey()))))
                .hasSize(2);
    }

    /** Otherwise the coordinator would elect a replica that has resigned. */
    @Test
    void aResignedShardIsReleasedOnlyOnceItsWithdrawalIsStored() {
        List.of("a", "b").forEach(name -> replica(name).start());
        loop.advance(Duration.ofSeconds(10));
        Replica a = replicas.get("a");
        a.announcing = Duration.ofMillis(300);
        int shard = a.led().get(0);
        a.locks.get(shard).resign();
        loop.advance(Duration.ofMillis(200));
        assertThat(api.leases().get(GROUP.lease(shard)).holder()).isEqualTo(a.identity);
        loop.advance(Duration.ofMillis(300));
        assertThat(replicas.get("b").led()).contains(shard);
    }

    @Test
    void anotherNumberOfShardsIsNotLedWhileTheFirstIs() {
        replica("a").start();
        loop.advance(Duration.ofSeconds(5));
        Replica other = replica("b", EIGHT).start();
        loop.advance(Duration.ofMinutes(1));
        assertThat(other.led()).isEmpty();
        assertThat(replicas.get("a").led()).hasSize(16);
        replicas.get("a").stop();
        loop.advance(Duration.ofSeconds(10));
        assertThat(other.led()).hasSize(8);
    }

    @Test
    void aReplicaThatStopsBeforeACoordinatorElectsForItsShardsDoesNotSayThatItJoins() {
        coordinator.close();
        Replica a = replica("a").start();
        loop.advance(Duration.ofSeconds(20));

        a.stop();
        loop.advance(Duration.ofSeconds(20));

        assertThat(a.history()).isNotEmpty().noneMatch(what -> what.startsWith("joins the coordinated election"));
    }

    @Test
    void theLeaseThatSaysTheNumberIsCreatedAgainOnceAReplicaComes() {
        replica("a").start();
        loop.advance(Duration.ofSeconds(5));
        api.delete(GROUP.key());

        Replica b = replica("b").start();
        loop.advance(Duration.ofSeconds(20));

        assertThat(api.leases().get(GROUP.key()).owner()).isEqualTo("orders-16-*");
        assertThat(b.led()).hasSize(8);
    }

    @Test
    void aReplicaSaysThatAShardWithoutALeaderWaitsForACoordinator() {
        Replica a = replica("a").start();
        Replica b = replica("b").start();
        loop.advance(Duration.ofSeconds(10));
        coordinator.close();
        a.stop();

        loop.advance(Duration.ofSeconds(40));

        assertThat(b.led()).hasSize(8);
        assertThat(b.history())
                .anyMatch(what -> what.startsWith("no process has led for 30 s, because no coordinator has elected"
                        + " a candidate, and nobody races for a shard"));
    }

    @Test
    void aRetiredLeaseIsNotRacedForWhateverStrategyItSays() {
        Replica waiting = waitingForAnotherNumber();

        api.put(api.leases().get(GROUP.lease(2)).toBuilder()
                .strategy("NoCoordination")
                .build());
        loop.advance(Duration.ofMinutes(1));

        assertThat(waiting.led()).isEmpty();
    }

    @Test
    void aRetiredLeaseIsNotLedByTheCandidateThatAnAdministratorNames() {
        Replica waiting = waitingForAnotherNumber();

        api.put(api.leases().get(GROUP.lease(2)).toBuilder()
                .holder(waiting.identity)
                .build());
        loop.advance(Duration.ofMinutes(1));

        assertThat(waiting.led()).isEmpty();
    }

    /** Returns a replica that asks for the former 16 shards while 8 are effective. */
    private Replica waitingForAnotherNumber() {
        Replica before = replica("a").start();
        loop.advance(Duration.ofSeconds(5));
        before.stop();
        replica("b", EIGHT).start();
        loop.advance(Duration.ofSeconds(20));
        Replica waiting = replica("c").start();
        loop.advance(Duration.ofSeconds(20));
        assertThat(replicas.get("b").led()).hasSize(8);
        assertThat(waiting.led()).isEmpty();
        return waiting;
    }

    @Test
    void aLeaderIsElectedForAShardWhoseLeaseSaysNoCoordination() {
        Replica a = replica("a").start();
        loop.advance(Duration.ofSeconds(5));

        api.put(api.leases().get(GROUP.lease(2)).toBuilder()
                .strategy("NoCoordination")
                .build());
        replica("b").start();
        loop.advance(Duration.ofSeconds(10));
        a.stop();
        loop.advance(Duration.ofSeconds(10));

        assertThat(replicas.get("b").led()).hasSize(16);
        assertThat(api.leases().get(GROUP.lease(2)).strategy()).isEqualTo("Balanced");
        assertThat(ofTheCoordinator.lines())
                .anyMatch(line -> line.contains(
                        "NoCoordination (set on the lease) has no effect on a lease of a group or a closed one,"
                                + " because nobody races for it"));
    }

    @Test
    void theCoordinatorShowsTheGroupOfALeaseAndItsTerms() {
        replica("a").start();
        loop.advance(Duration.ofSeconds(5));
        assertThat(views(GROUP)).hasSize(16).allSatisfy(view -> {
            assertThat(view.group()).isEqualTo(GROUP);
            assertThat(view.past().terms()).hasSize(1);
            assertThat(view.retired()).isFalse();
        });

        replica("b").start();
        loop.advance(Duration.ofSeconds(20));
        assertThat(moves()).isEqualTo(8);
    }

    @Test
    void theCoordinatorLogsDecisionsAboutShardsInOneLineForAllOfThem() {
        replica("a").start();
        loop.advance(Duration.ofSeconds(10));
        assertThat(ofTheCoordinator())
                .hasSize(4)
                .last()
                .isEqualTo("INFO 13 more leases of orders-16: LeaderElected orders-a; each is logged at DEBUG");

        replica("b").start();
        loop.advance(Duration.ofSeconds(20));
        assertThat(ofTheCoordinator())
                .hasSizeLessThan(30)
                .anySatisfy(line -> assertThat(line)
                        .startsWith("INFO ")
                        .endsWith("more leases of orders-16: EndOfTerm orders-b; each is logged at DEBUG"));
    }

    @Test
    void theCoordinatorLogsADecisionAboutOneShardAsOfAnyLease() {
        replica("a", new LeaseGroup("shop", "orders", 1)).start();
        loop.advance(Duration.ofSeconds(5));

        assertThat(ofTheCoordinator()).singleElement().asString().startsWith("INFO Lease shop/orders-1-0: ");
    }

    private List<String> ofTheCoordinator() {
        return ofTheCoordinator.lines().stream()
                .filter(line -> line.contains("orders"))
                .toList();
    }

    @Test
    void theCoordinatorShowsThatTheLeasesOfAFormerNumberAreRetired() {
        Replica sixteen = replica("a").start();
        loop.advance(Duration.ofSeconds(5));
        sixteen.stop();
        replica("b", EIGHT).start();
        loop.advance(Duration.ofSeconds(20));

        assertThat(views(GROUP)).hasSize(16).allMatch(ElectionView::retired);
        assertThat(views(EIGHT)).hasSize(8).noneMatch(ElectionView::retired);
    }

    @Test
    void twoCoordinatorsPutNoTwoNumbersOfShardsInForce() {
        Lagging behind = new Lagging();
        coordinate(behind.client());
        behind.lags = true;
        Replica sixteen = replica("a").start();
        loop.advance(Duration.ofSeconds(1));
        behind.heldBack.clear();
        Replica eight = replica("b", EIGHT).start();
        // The second coordinator observes this candidate, and nothing earlier.
        behind.catchUp();
        loop.advance(Duration.ofSeconds(30));
        assertThat(sixteen.led()).hasSize(16);
        assertThat(eight.led()).isEmpty();
    }

    @Test
    void twoCoordinatorsThatChangeTheNumberOfShardsAtOncePutOneInForce() {
        coordinator.close();
        api.put(number(4));
        Lagging late = new Lagging();
        late.writing = Duration.ofSeconds(2);
        coordinate(late.client());
        Lagging other = new Lagging();
        coordinate(other.client());
        other.lags = true;
        Replica eight = replica("b", EIGHT).start();
        other.heldBack.clear();
        // One coordinator has read the former number and is about to write 8. The other one knows of this candidate
        // only.
        other.catchUp();
        Replica sixteen = replica("a").start();
        loop.advance(Duration.ofSeconds(1));
        assertThat(sixteen.led()).hasSize(16);
        loop.advance(Duration.ofSeconds(30));
        assertThat(sixteen.led()).hasSize(16);
        assertThat(eight.led()).isEmpty();
    }

    private static Lease number(int shards) {
        return Lease.builder(GROUP.key())
                .leaseDuration(Lease.CLOSED)
                .owner(LeaseGroup.owner(GROUP.key(), shards))
                .managed(true)
                .build();
    }

    @Test
    void aNumberOfShardsIsPutInForceAgainAfterARollBack() {
        Replica sixteen = replica("a").start();
        loop.advance(Duration.ofSeconds(5));
        sixteen.stop();
        Replica eight = replica("b", EIGHT).start();
        loop.advance(Duration.ofSeconds(20));
        assertThat(eight.led()).hasSize(8);
        assertThat(api.leases().get(GROUP.lease(15)).retiredBy()).isNotNull();

        Replica again = replica("c").start();
        loop.advance(Duration.ofSeconds(20));
        assertThat(again.led()).isEmpty();
        eight.stop();
        loop.advance(Duration.ofSeconds(20));
        assertThat(again.led()).hasSize(16);
        assertThat(api.leases().get(EIGHT.lease(7)).retiredBy()).isNotNull();
        assertThat(api.leases().get(GROUP.lease(15)).retiredBy()).isNull();
    }

    /** A replica regarded as dead acquires one of its Leases again before a coordinator has retired it. */
    @Test
    void aNumberOfShardsThatIsLedAgainBeforeItIsRetiredIsPutBackInForce() {
        Replica sixteen = replica("a").start();
        loop.advance(Duration.ofSeconds(5));
        Lease number = api.put(number(8));
        Lease retired = api.leases().get(GROUP.lease(0));
        api.put(retired.toBuilder()
                .holder(null)
                .owner(number.owner())
                .term(null)
                .leaseDuration(Lease.CLOSED)
                .retiredBy(number.resourceVersion())
                .build());
        Replica eight = replica("b", EIGHT).start();
        loop.advance(Duration.ofSeconds(30));
        assertThat(eight.led()).isEmpty();
        assertThat(sixteen.led()).hasSize(16);
        assertThat(api.leases().get(GROUP.key()).owner()).isEqualTo("orders-16-*");
    }

    @Test
    void aReplicaLeadsNoShardWhileTheLeaseIsLedWithoutShards() {
        ObjectKey name = new ObjectKey("shop", "orders");
        Replica a = replica("a");
        for (int i = 0; i < 10; i++) {
            api.put(Lease.builder(name)
                    .holder("orders-x")
                    .acquireTime(loop.clock().wall())
                    .renewTime(loop.clock().wall())
                    .build());
            a.start();
            loop.advance(Duration.ofSeconds(3));
        }
        assertThat(a.led()).isEmpty();
        assertThat(api.leases().get(name).holder()).isEqualTo("orders-x");
    }

    @Test
    void aLeaseThatHasLostItsLabelIsLedOnAndLabelledAgain() {
        Replica a = replica("a").start();
        loop.advance(Duration.ofSeconds(5));
        Lease lease = api.leases().get(GROUP.lease(3));
        // The coordinator would put the label back before the leader has to.
        coordinator.close();
        api.removeLabel(lease.key(), "coordination.cle.io/group");
        for (int i = 0; i < 500; i++) {
            loop.advance(Duration.ofMillis(10));
            assertThat(a.led()).hasSize(16);
        }
        assertThat(api.leases().get(GROUP.lease(3)).group()).isEqualTo("orders-16");
    }

    @Test
    void grantsThatFailAreTriedAgainWithBackOff() {
        replica("a").start();
        loop.advance(Duration.ofSeconds(5));
        replicas.get("a").stop();
        api.leasesUnanswered = true;
        int before = api.leaseWrites;

        replica("b").start();
        loop.advance(Duration.ofSeconds(30));

        int perShard = (api.leaseWrites - before) / GROUP.shards();
        assertThat(perShard).isBetween(2, 60);
    }

    @Test
    void aLeaseOfAFormerNumberThatTheWatchDoesNotShowIsRetiredOnceItHasExpired() {
        Replica killed = replica("a", EIGHT).start();
        loop.advance(Duration.ofSeconds(5));
        killed.reachable = false;
        api.removeLabel(EIGHT.lease(3), "coordination.cle.io/managed");

        Replica other = replica("b").start();
        loop.advance(Duration.ofMinutes(2));

        assertThat(other.led()).hasSize(16);
    }
}
