package io.cle.test.programmatic;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;

import com.google.gson.JsonParser;
import io.cle.ApiFormat;
import io.cle.KeyComparison;
import io.cle.LeadershipListener;
import io.cle.Resignation;
import io.cle.ResourceLock;
import io.cle.RevokeReason;
import io.cle.Term;
import io.cle.Timings;
import io.cle.kubernetes.KubernetesAccess;
import io.cle.model.Candidate;
import io.cle.model.ObjectKey;
import io.cle.model.Version;
import io.cle.plain.LeaderElection;
import io.cle.test.apiserver.CustomResourceDefinitions;
import io.cle.test.apiserver.EmbeddedApiServer;
import io.cle.test.apiserver.memory.ApiServerRequest;
import io.cle.test.coordinator.EmbeddedCoordinator;
import io.kubernetes.client.util.ClientBuilder;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

/** Leader election without Spring, as a program would use it. */
class LeaderElectionTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final EmbeddedApiServer server = EmbeddedApiServer.start();
    private final LeaderElection first = election("first").start();

    private LeaderElection.Builder election(String identity) {
        return LeaderElection.builder(
                        new ClientBuilder().setBasePath(server.url()).build())
                .lease("shop", "orders")
                .identity(identity)
                .timings(new Timings(Duration.ofSeconds(3), Duration.ofSeconds(2), Duration.ofMillis(200)));
    }

    @AfterEach
    void end() {
        first.close();
        server.close();
    }

    @Nested
    class Waiting {

        @Test
        void waitingEndsOnceThisProcessLeads() throws InterruptedException {
            assertThat(first.awaitLeadership(PATIENCE)).isTrue();
            assertThat(first.isLeader()).isTrue();
        }

        @Test
        void waitingEndsAfterTheTimeoutIfAnotherProcessLeads() throws InterruptedException {
            first.awaitLeadership(PATIENCE);
            try (LeaderElection second = election("second").start()) {
                assertThat(second.awaitLeadership(Duration.ofMillis(50))).isFalse();
            }
        }
    }

    /** Outside a pod and without a kubeconfig, this is {@code default}. */
    @Test
    void aLeaseWithoutANamespaceIsInTheNamespaceOfTheProcess() {
        try (LeaderElection alone = LeaderElection.builder(KubernetesAccess.at(server.url()))
                .lease("alone")
                .start()) {
            assertThat(alone.lock().snapshot().lease()).isEqualTo(new ObjectKey("default", "alone"));
        }
    }

    @Nested
    class Resigning {

        @Test
        void resigningReleasesTheLeaseForAnotherProcess() throws InterruptedException {
            first.awaitLeadership(PATIENCE);
            try (LeaderElection second = election("second").start()) {
                assertThat(second.resign().toCompletableFuture().join()).isEqualTo(Resignation.NOT_LEADING);

                assertThat(first.resign().toCompletableFuture().join()).isEqualTo(Resignation.RELEASED);

                assertThat(second.awaitLeadership(PATIENCE)).isTrue();
                assertThat(first.isLeader()).isFalse();
            }
        }
    }

    @Nested
    class Key {

        @Test
        void theKeyThatTakesPrecedenceHasTheLeaderYield() throws InterruptedException {
            first.close();
            try (LeaderElection worse = withKey("worse", "1").start()) {
                assertThat(worse.awaitLeadership(PATIENCE)).isTrue();
                try (LeaderElection better = withKey("better", "2").start()) {
                    assertThat(better.awaitLeadership(PATIENCE)).isTrue();
                    assertThat(worse.isLeader()).isFalse();
                }
            }
        }

        @Test
        void theKeyIsRefusedInAnElectionWithACoordinator() {
            LeaderElection.Builder both = withKey("a", "1").coordinated();

            assertThatThrownBy(both::start)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("a coordinator ranks candidates");
        }

        private LeaderElection.Builder withKey(String identity, String key) {
            return election(identity).takeover(key, KeyComparison.largestNumber(), Duration.ofSeconds(2));
        }
    }

    @Nested
    class RecordOfOlderElectors {

        @Test
        void recordOfOlderElectorsIsLedByWithoutALease() throws InterruptedException {
            first.close();
            try (LeaderElection election = election("a")
                    .lease("shop", "legacy")
                    .resourceLock(ResourceLock.CONFIGMAPS)
                    .start()) {
                assertThat(election.awaitLeadership(PATIENCE)).isTrue();
            }
        }

        @Test
        void recordOfOlderElectorsIsRefusedInAnElectionWithACoordinator() {
            LeaderElection.Builder both =
                    election("a").resourceLock(ResourceLock.ENDPOINTS).coordinated();

            assertThatThrownBy(both::start)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("resourceLock(ENDPOINTS)");
        }
    }

    @Nested
    class WithinAnotherElection {

        @Test
        void anElectionWithinAnotherLeadsOnlyWhileThatLeads() throws InterruptedException {
            try (LeaderElection inner = election("first")
                    .lease("shop", "orders-to-billing")
                    .within(first)
                    .start()) {
                assertThat(inner.awaitLeadership(PATIENCE)).isTrue();
                assertThat(first.isLeader()).isTrue();

                first.resign().toCompletableFuture().join();
                assertThat(inner.isLeader()).isFalse();
            }
        }
    }

    @Nested
    class Listeners {

        @Test
        void listenersAreCalledUntilRemoved() throws InterruptedException {
            AtomicInteger removed = new AtomicInteger();
            AtomicInteger kept = new AtomicInteger();
            try (LeaderElection second = election("second").start()) {
                second.lock().addListener(counting(removed)).close();
                second.lock().addListener(counting(kept));
                first.awaitLeadership(PATIENCE);

                first.resign();

                assertThat(second.awaitLeadership(PATIENCE)).isTrue();
                second.resign().toCompletableFuture().join();
                assertThat(kept).hasValue(1);
                assertThat(removed).hasValue(0);
            }
        }

        @Test
        void aListenerOfTheBuilderIsCalledForTheFirstTerm() throws InterruptedException {
            first.close();
            CountDownLatch granted = new CountDownLatch(1);
            LeadershipListener listener = new LeadershipListener() {
                @Override
                public void onGranted(Term term) {
                    granted.countDown();
                }
            };
            try (LeaderElection second = election("second").listener(listener).start()) {
                assertThat(granted.await(30, TimeUnit.SECONDS)).isTrue();
                assertThat(second.isLeader()).isTrue();
            }
        }

        private static LeadershipListener counting(AtomicInteger grants) {
            return new LeadershipListener() {
                @Override
                public void onGranted(Term term) {
                    grants.incrementAndGet();
                }
            };
        }
    }

    @Nested
    class Closing {

        @Test
        void closingReleasesTheLeaseForAnotherProcess() throws InterruptedException {
            first.awaitLeadership(PATIENCE);

            first.close();

            try (LeaderElection second = election("second").start()) {
                assertThat(second.awaitLeadership(PATIENCE)).isTrue();
            }
        }

        /** A second close used to wait for the drain timeout and the lease duration. */
        @Test
        void closingWaitsForNothingTheSecondTime() {
            LeaderElection second =
                    election("second").drainTimeout(Duration.ofDays(1)).start();
            second.close();

            assertTimeoutPreemptively(PATIENCE, second::close);
        }
    }

    @Nested
    class Coordinated {

        @Test
        void aCoordinatedElectionAnnouncesACandidateAndRacesIfNoCoordinatorElects() throws InterruptedException {
            first.close();
            try (LeaderElection candidate = election("third")
                    .coordinated(ApiFormat.CRD, description -> description.priority(7))
                    .fallback(true, Duration.ofMillis(100))
                    .start()) {
                assertThat(candidate.awaitLeadership(PATIENCE)).isTrue();
                assertThat(candidate.lock().snapshot().candidate())
                        .isNotNull()
                        .satisfies(announced -> assertThat(announced.priority()).isEqualTo(7));
            }
        }

        @Test
        void aCoordinatedElectionAnnouncesItInTheNewestVersionOfTheNativeFormatThatIsServed() {
            server.serveNativeVersions("v1alpha2");
            try (LeaderElection candidate = election("third")
                    .coordinated(
                            ApiFormat.NATIVE,
                            description -> description
                                    .binaryVersion(Version.parse("1.2.0"))
                                    .compatibilityVersion(Version.parse("1.2.0")))
                    .start()) {
                Awaitility.await().atMost(PATIENCE).until(() -> isAnnounced("coordination.k8s.io/v1alpha2", "third"));
                assertThat(candidate.isLeader()).isFalse();
            }
        }

        @Test
        void aCoordinatedElectionAnnouncesItInTheFormatThatIsServedIfNoneIsNamed() {
            try (LeaderElection candidate =
                    election("third").coordinated(description -> description).start()) {
                Awaitility.await().atMost(PATIENCE).until(() -> isAnnounced("coordination.cle.io/v1alpha1", "third"));
                assertThat(candidate.isLeader()).isFalse();
            }
        }

        /** A replica that leads without a candidate is asked to yield once it has joined; the work of the two never overlaps. */
        @Test
        void aCoordinatedElectionYieldsToABetterCandidateOnceBothHaveJoinedAfterTheDefinitionsWereApplied()
                throws InterruptedException {
            try (EmbeddedApiServer bare = EmbeddedApiServer.builder()
                    .withoutCustomResourceDefinitions()
                    .start()) {
                ExclusiveWork work = new ExclusiveWork();
                try (LeaderElection racing = candidate(bare, "old", "1.2.0")
                        .listener(work.ofOneProcess())
                        .start()) {
                    assertThat(racing.awaitLeadership(PATIENCE)).isTrue();
                    CustomResourceDefinitions.all()
                            .forEach(definition -> bare.handle(ApiServerRequest.post(
                                    "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", definition)));
                    try (EmbeddedCoordinator coordinator = EmbeddedCoordinator.start(bare.url());
                            LeaderElection better = candidate(bare, "new", "1.1.0")
                                    .listener(work.ofOneProcess())
                                    .start()) {

                        assertThat(better.awaitLeadership(PATIENCE)).isTrue();
                        assertThat(racing.isLeader()).isFalse();
                        assertThat(better.lock().snapshot().raced())
                                .as("elected by %s", coordinator)
                                .isFalse();
                        assertThat(work.overlaps).hasValue(0);
                    }
                }
            }
        }

        /** KEP-4355, story 1: the leader's own candidate changes, not the better one. */
        @Test
        void aCoordinatedElectionYieldsToAnotherCandidateOnceItHasAnnouncedALowerPriority()
                throws InterruptedException {
            replacedByTheOther(
                    description -> description.strategy("HighestPriority").priority(7),
                    description -> description.strategy("HighestPriority").priority(5),
                    (at, leader) -> leader.lock().announcePriority(3));
        }

        /** KEP-4355, story 1: a leader that was upgraded in place is a candidate of a newer version. */
        @Test
        void aCoordinatedElectionYieldsToAnotherCandidateOnceItsOwnIsOfANewerVersion() throws InterruptedException {
            String upgraded = """
                    {"metadata": {"labels": {"binary-version": "1.2.0", "compatibility-version": "1.2.0"}}}""";
            replacedByTheOther(version("1.0.0"), version("1.1.0"), (at, leader) -> {
                String path = "/apis/coordination.cle.io/v1alpha1/namespaces/shop/leasecandidates/orders-leader";
                assertThat(at.handle(ApiServerRequest.mergePatch(path, JsonParser.parseString(upgraded)))
                                .code())
                        .isEqualTo(200);
            });
        }

        private void replacedByTheOther(
                UnaryOperator<Candidate.Builder> best,
                UnaryOperator<Candidate.Builder> second,
                BiConsumer<EmbeddedApiServer, LeaderElection> worsen)
                throws InterruptedException {
            ExclusiveWork work = new ExclusiveWork();
            try (EmbeddedApiServer shared = EmbeddedApiServer.start();
                    EmbeddedCoordinator coordinator = EmbeddedCoordinator.start(shared.url());
                    LeaderElection leader = candidate(shared, "leader", best)
                            .listener(work.ofOneProcess())
                            .start()) {
                assertThat(leader.awaitLeadership(PATIENCE)).isTrue();
                try (LeaderElection other = candidate(shared, "other", second)
                        .listener(work.ofOneProcess())
                        .start()) {
                    Awaitility.await()
                            .atMost(PATIENCE)
                            .until(() -> isAnnounced(shared, "coordination.cle.io/v1alpha1", "other"));
                    assertThat(other.awaitLeadership(Duration.ofMillis(500))).isFalse();
                    CountDownLatch revoked = new CountDownLatch(1);
                    AtomicReference<RevokeReason> reason = new AtomicReference<>();
                    leader.lock().addListener(new LeadershipListener() {
                        @Override
                        public void onRevoked(Term term, RevokeReason why) {
                            reason.set(why);
                            revoked.countDown();
                        }
                    });

                    // The leader's process may undo the edit, when it is pinged for instance, so the edit is repeated.
                    Awaitility.await().atMost(PATIENCE).until(() -> {
                        worsen.accept(shared, leader);
                        return other.awaitLeadership(Duration.ofSeconds(1));
                    });
                    assertThat(other.lock().snapshot().raced())
                            .as("elected by %s", coordinator)
                            .isFalse();
                    assertThat(revoked.await(30, TimeUnit.SECONDS)).isTrue();
                    assertThat(reason).hasValue(RevokeReason.END_OF_TERM);
                    assertThat(work.overlaps).hasValue(0);
                }
            }
        }

        /**
         * A process without permission to be a candidate waits while another leads, races when that leader is gone, and
         * yields once it has the permission.
         */
        @Test
        void aCoordinatedElectionHasOneLeaderInAFleetInWhichSomeMayBeCandidatesAndSomeMayNot()
                throws InterruptedException {
            try (EmbeddedApiServer shared = EmbeddedApiServer.start();
                    EmbeddedCoordinator coordinator = EmbeddedCoordinator.start(shared.url())) {
                ExclusiveWork work = new ExclusiveWork();
                LeaderElection racing;
                try (LeaderElection joined = candidate(shared, "joined", "1.2.0")
                        .listener(work.ofOneProcess())
                        .start()) {
                    assertThat(joined.awaitLeadership(PATIENCE)).isTrue();
                    shared.deny("create", "leasecandidates", "shop");
                    racing = candidate(shared, "racing", "1.1.0")
                            .listener(work.ofOneProcess())
                            .start();
                    Awaitility.await()
                            .atMost(PATIENCE)
                            .until(() -> racing.lock().snapshot().uncoordinated() != null);
                    assertThat(joined.isLeader()).isTrue();
                }
                try (racing) {
                    assertThat(racing.awaitLeadership(PATIENCE)).isTrue();
                    assertThat(racing.lock().snapshot().raced()).isTrue();
                    shared.allowAll();
                    try (LeaderElection better = candidate(shared, "better", "1.0.0")
                            .listener(work.ofOneProcess())
                            .start()) {
                        assertThat(better.awaitLeadership(PATIENCE)).isTrue();
                        assertThat(racing.lock().snapshot().uncoordinated()).isNull();
                        assertThat(better.lock().snapshot().raced())
                                .as("elected by %s", coordinator)
                                .isFalse();
                    }
                }
                assertThat(work.overlaps).hasValue(0);
            }
        }

        /** Work of several processes, each from the start of a term until its end is reported; only one may work at a time. */
        private static final class ExclusiveWork {
            private final AtomicInteger working = new AtomicInteger();
            private final AtomicInteger overlaps = new AtomicInteger();

            LeadershipListener ofOneProcess() {
                return new LeadershipListener() {
                    @Override
                    public void onGranted(Term term) {
                        overlaps.addAndGet(working.getAndIncrement());
                    }

                    @Override
                    public void onRevoked(Term term, RevokeReason reason) {
                        working.decrementAndGet();
                    }
                };
            }
        }

        private LeaderElection.Builder candidate(EmbeddedApiServer at, String identity, String version) {
            return candidate(at, identity, version(version));
        }

        private static UnaryOperator<Candidate.Builder> version(String version) {
            return description ->
                    description.binaryVersion(Version.parse(version)).compatibilityVersion(Version.parse(version));
        }

        private LeaderElection.Builder candidate(
                EmbeddedApiServer at, String identity, UnaryOperator<Candidate.Builder> description) {
            return LeaderElection.builder(
                            new ClientBuilder().setBasePath(at.url()).build())
                    .lease("shop", "orders")
                    .identity(identity)
                    .timings(new Timings(Duration.ofSeconds(3), Duration.ofSeconds(2), Duration.ofMillis(200)))
                    .coordinated(description);
        }

        private boolean isAnnounced(String apiVersion, String identity) {
            return isAnnounced(server, apiVersion, identity);
        }

        private static boolean isAnnounced(EmbeddedApiServer at, String apiVersion, String identity) {
            String path = "/apis/" + apiVersion + "/namespaces/shop/leasecandidates/orders-" + identity;
            return at.handle(ApiServerRequest.get(path)).code() == 200;
        }
    }

    @Test
    void needsALease() {
        assertThatThrownBy(() -> LeaderElection.builder(
                                new ClientBuilder().setBasePath(server.url()).build())
                        .start())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("call lease(name)");
    }
}
