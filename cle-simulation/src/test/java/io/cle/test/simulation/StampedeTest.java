package io.cle.test.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;

import com.google.gson.JsonObject;
import io.cle.ResourceLock;
import io.cle.Timings;
import io.cle.kubernetes.internal.client.LeaseClient;
import io.cle.kubernetes.internal.client.ObjectClient;
import io.cle.kubernetes.internal.transport.ApiRequest;
import io.cle.lock.internal.LeaseLock;
import io.cle.lock.internal.LockConfig;
import io.cle.lock.internal.LockStores;
import io.cle.lock.internal.LockThreads;
import io.cle.loop.internal.EventLoop;
import io.cle.model.ObjectKey;
import io.cle.test.simulation.internal.process.DriftingClock;
import io.cle.test.simulation.internal.process.History;
import io.cle.test.simulation.internal.process.SimulatedEntropy;
import io.cle.test.simulation.internal.process.VirtualProcess;
import io.cle.test.simulation.internal.process.VirtualTime;
import io.cle.test.simulation.internal.server.Network;
import io.cle.test.simulation.internal.server.SimulatedServer;
import io.cle.test.simulation.internal.server.SimulatedTransport;
import io.cle.test.simulation.scenario.ClusterKind;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A hundred candidates of one direct lock that becomes free, on virtual time: how long it stays free, and what that costs the API server.
 * Requests, answers and events take up to 4 ms each.
 * Rule: {@code protocol.md#requests-and-limits}.
 */
class StampedeTest {

    private static final int CANDIDATES = 100;
    private static final ObjectKey LEASE = new ObjectKey("shop", "orders");
    private static final long MILLISECOND = 1_000_000;
    private static final long TAKEN_WITHIN = 100 * MILLISECOND;
    private static final long EXPIRED_IS_TAKEN_WITHIN = 250 * MILLISECOND;

    /** Candidates attempt until they observe the winner; jitter delays most of them. */
    private static final int MOST_WRITES = CANDIDATES * 3 / 10;

    /** Losers read the lease, unless their watch was faster. */
    private static final int MOST_READS = CANDIDATES / 10;

    private final VirtualTime time = new VirtualTime();
    private final SplittableRandom random = new SplittableRandom(4355);
    private final List<Candidate> candidates = new ArrayList<>();
    private long changedAt;
    private long changedAtBefore;
    private int writes;
    private int reads;

    /** A lock in its process. */
    private record Candidate(VirtualProcess process, LeaseLock lock) {}

    @ParameterizedTest
    @EnumSource(names = {"LEASES", "ENDPOINTS", "CONFIG_MAPS"})
    void aReleasedLeaseIsTakenInAHundredMillisecondsByFewAttempts(ClusterKind kind) {
        Candidate first = hundred(kind);
        countAnew();

        first.lock().stop();
        long asked = time.now();
        until(() -> leaders().size() == 1 && !first.lock().isLeader());
        assertThat(time.now() - asked).isLessThan(TAKEN_WITHIN);
        rest();
    }

    @ParameterizedTest
    @EnumSource(names = {"LEASES", "ENDPOINTS", "CONFIG_MAPS"})
    void anExpiredLeaseIsTakenInAQuarterOfASecondByFewAttempts(ClusterKind kind) {
        Candidate first = hundred(kind);
        first.process().kill();
        candidates.remove(first);
        countAnew();

        until(() -> leaders().size() == 1);
        long expiry = changedAtBefore + Timings.DEFAULT.leaseDuration().toNanos();
        assertThat(time.now()).isBetween(expiry, expiry + EXPIRED_IS_TAKEN_WITHIN);
        rest();
    }

    /** All join, and one leads. */
    private Candidate hundred(ClusterKind kind) {
        ResourceLock lock = Objects.requireNonNull(kind.direct());
        VirtualProcess kubeApiserver =
                new VirtualProcess("kube-apiserver", time, new DriftingClock(time, 1, 0, 0), new Failing());
        SimulatedServer server = new SimulatedServer(time, random.split(), kind, new Changes(), kubeApiserver);
        Network network = new Network(time, random.split(), server, new Count(), new History(time, false));
        for (int i = 0; i < CANDIDATES; i++) {
            candidates.add(candidate(lock, "candidate-" + i, network));
        }
        candidates.forEach(candidate -> candidate.lock().start());
        until(() -> leaders().size() == 1);
        run(Duration.ofSeconds(4));
        return leaders().get(0);
    }

    private Candidate candidate(ResourceLock kind, String identity, Network network) {
        VirtualProcess process = new VirtualProcess(
                identity, time, new DriftingClock(time, 1, random.nextLong(1_000), 0), new Failing());
        EventLoop loop = process.loop();
        Timings timings = Timings.DEFAULT;
        ObjectClient client = new ObjectClient(
                new SimulatedTransport(network, process), loop, random.split(), timings.requestTimeout());
        LockConfig config = new LockConfig(
                LEASE,
                identity,
                timings,
                Duration.ofSeconds(30),
                new LockConfig.Fallback(false, Duration.ZERO),
                null,
                null,
                kind == ResourceLock.LEASES ? Duration.ofNanos(1_000) : Duration.ofSeconds(1));
        return new Candidate(
                process,
                new LeaseLock(
                        config,
                        new LockStores(LeaseClient.of(client, kind, null), null).always(),
                        new SimulatedEntropy("n" + identity),
                        LockThreads.of(loop, process.thread(() -> 0))));
    }

    private List<Candidate> leaders() {
        return candidates.stream()
                .filter(candidate -> candidate.lock().isLeader())
                .toList();
    }

    private void until(BooleanSupplier condition) {
        long patience = time.now() + Duration.ofSeconds(30).toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(time.advance(patience)).as("something to come").isTrue();
            assertThat(leaders()).hasSizeLessThan(2);
        }
    }

    private void run(Duration duration) {
        long end = time.now() + duration.toNanos();
        while (time.advance(end)) {
            assertThat(leaders()).hasSizeLessThan(2);
        }
    }

    private void countAnew() {
        writes = 0;
        reads = 0;
    }

    /** Waits for all attempts; the leader must stay the same. */
    private void rest() {
        Candidate leader = leaders().get(0);
        run(Duration.ofSeconds(2));
        assertThat(leaders()).containsExactly(leader);
        assertThat(writes).as("writes, renewals among them").isLessThan(MOST_WRITES);
        assertThat(reads).as("reads").isLessThan(MOST_READS);
    }

    private final class Changes implements SimulatedServer.Auditor {
        @Override
        public void changed(String type, JsonObject object, @Nullable VirtualProcess by) {
            changedAtBefore = changedAt;
            changedAt = time.now();
        }

        @Override
        public void died(String what) {
            throw new IllegalStateException(what);
        }
    }

    private final class Count implements Network.Listener {
        @Override
        public void sent(VirtualProcess process, ApiRequest request) {
            if (request.verb().writes()) {
                writes++;
            } else if (request.verb() == ApiRequest.Verb.GET) {
                reads++;
            }
        }

        @Override
        public void delivered(VirtualProcess process, JsonObject object) {}

        @Override
        public void arrived(VirtualProcess process, ApiRequest request) {}
    }

    private static final class Failing implements VirtualProcess.Observer {
        @Override
        public void stepped(VirtualProcess process) {}

        @Override
        public void failed(VirtualProcess process, RuntimeException failure) {
            throw failure;
        }
    }
}
