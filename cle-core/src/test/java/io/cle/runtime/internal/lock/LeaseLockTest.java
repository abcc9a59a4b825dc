package io.cle.runtime.internal.lock;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.cle.api.CandidateStore;
import io.cle.api.LeaseStore;
import io.cle.api.Subscription;
import io.cle.api.WatchEvent;
import io.cle.api.Watcher;
import io.cle.lock.LockConfig;
import io.cle.lock.LockKind;
import io.cle.model.ApiResult;
import io.cle.model.Candidate;
import io.cle.model.Lease;
import io.cle.model.ObjectKey;
import io.cle.model.Timings;
import io.cle.runtime.LockSnapshot;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class LeaseLockTest {

    private static final ObjectKey LEASE = new ObjectKey("shop", "orders");
    private static final Candidate CANDIDATE = Candidate.builder(new ObjectKey("shop", "orders-a"), LEASE)
            .strategy("OldestCompatibilityVersion")
            .build();

    private final VirtualLoop loop = new VirtualLoop();
    private final Leases leases = new Leases();
    private final Candidates candidates = new Candidates();
    private final LeaseLock lock = new LeaseLock(config(), leases, candidates, "n1", loop, Runnable::run);

    private static LockConfig config() {
        return new LockConfig(
                LEASE,
                "orders-a",
                LockKind.COORDINATED,
                Timings.DEFAULT,
                Duration.ofSeconds(30),
                new LockConfig.Fallback(true, Duration.ofSeconds(30)),
                new LockConfig.Candidacy(CANDIDATE, Duration.ofMinutes(5)),
                null,
                Duration.ofNanos(1000));
    }

    @BeforeEach
    void start() {
        lock.start();
        loop.runReady();
        candidates.watcher.onEvent(new WatchEvent.Snapshot<>(List.of()));
    }

    @Test
    void itAnnouncesItsCandidateOnlyOnceItHasSeenTheLease() {
        loop.advance(Duration.ofSeconds(20));
        assertThat(candidates.created).isEmpty();

        leases.watcher.onEvent(new WatchEvent.Snapshot<>(List.of()));
        loop.runReady();
        assertThat(candidates.created).hasSize(1);
    }

    @Test
    void aLeaseThatCantBeUnderstoodDoesntKeepItFromAnnouncingItsCandidate() {
        leases.watcher.onEvent(new WatchEvent.Malformed<>(LEASE, "renewTime is 'yesterday'"));
        loop.runReady();

        assertThat(candidates.created).hasSize(1);
    }

    @Test
    void aWatchThatCantBeOpenedDoesntMakeItAnnounceItsCandidate() {
        leases.watcher.onEvent(new WatchEvent.Interrupted<>("connection refused", Duration.ofSeconds(1)));
        loop.runReady();

        assertThat(candidates.created).isEmpty();
    }

    @Test
    void aLockThatIsStoppedBeforeItHasSeenTheLeaseAnnouncesNothing() {
        CompletionStage<Void> stopped = lock.stop();
        loop.runReady();
        leases.watcher.onEvent(new WatchEvent.Snapshot<>(List.of()));
        loop.advance(Duration.ofMinutes(1));

        assertThat(candidates.created).isEmpty();
        assertThat(stopped.toCompletableFuture()).isCompleted();
    }

    @Test
    void aLockThatNeverStoodIsStoppedAtOnce() {
        LeaseLock idle = new LeaseLock(config(), leases, candidates, "n2", loop, Runnable::run);
        CompletionStage<Void> stopped = idle.stop();
        loop.runReady();

        assertThat(stopped.toCompletableFuture()).isCompleted();
    }

    @Test
    void aLockThatStandsAgainLooksAtTheLeaseAgainFirst() {
        lock.stop();
        loop.runReady();
        lock.start();
        loop.runReady();
        assertThat(candidates.created).isEmpty();

        leases.watcher.onEvent(new WatchEvent.Snapshot<>(List.of()));
        candidates.watcher.onEvent(new WatchEvent.Snapshot<>(List.of()));
        loop.runReady();
        assertThat(candidates.created).hasSize(1);
    }

    @Test
    void aClockThatIsHoursOffIsReportedByTheProcessItself() {
        leases.watcher.onEvent(new WatchEvent.Snapshot<>(List.of()));
        loop.runReady();

        Candidate written = candidates.created.get(0);
        candidates.creation.complete(new ApiResult.Ok<>(written.toBuilder()
                .resourceVersion("7")
                .creationTime(loop.clock().wall().plus(Duration.ofHours(2)))
                .build()));

        assertThat(lock.snapshot().history())
                .extracting(LockSnapshot.HistoryEntry::what)
                .anyMatch(what -> what.contains("this machine's clock is 7200 s behind the API server's"));
        assertThat(lock.snapshot().candidacy().ok()).isTrue();
    }

    @Test
    void aCandidateThatCanNotBeAnnouncedIsToldOfUntilItCan() {
        leases.watcher.onEvent(new WatchEvent.Snapshot<>(List.of()));
        candidates.watcher.onEvent(new WatchEvent.Interrupted<>("it isn't served", Duration.ofSeconds(1)));
        loop.runReady();
        assertThat(lock.snapshot().contact().ok()).isTrue();
        assertThat(lock.snapshot().candidacy().problem()).contains("it isn't served");

        candidates.watcher.onEvent(new WatchEvent.Snapshot<>(List.of()));

        assertThat(lock.snapshot().candidacy().ok()).isTrue();
    }

    /** Remembers who watches, and leaves every request open. */
    private static final class Leases implements LeaseStore {

        private Watcher<Lease> watcher = event -> {};

        @Override
        public CompletionStage<ApiResult<Optional<Lease>>> read(ObjectKey key) {
            return new CompletableFuture<>();
        }

        @Override
        public CompletionStage<ApiResult<Lease>> create(Lease lease) {
            return new CompletableFuture<>();
        }

        @Override
        public CompletionStage<ApiResult<Lease>> write(Lease lease) {
            return new CompletableFuture<>();
        }

        @Override
        public Subscription watch(ObjectKey key, Watcher<Lease> watcher) {
            this.watcher = watcher;
            return () -> {};
        }
    }

    /** Remembers who watches and what is created; deletes at once, and leaves every other request open. */
    private static final class Candidates implements CandidateStore {

        private final List<Candidate> created = new ArrayList<>();
        private final CompletableFuture<ApiResult<Candidate>> creation = new CompletableFuture<>();
        private Watcher<Candidate> watcher = event -> {};

        @Override
        public CompletionStage<ApiResult<Optional<Candidate>>> read(ObjectKey key) {
            return new CompletableFuture<>();
        }

        @Override
        public CompletionStage<ApiResult<Candidate>> create(Candidate candidate) {
            created.add(candidate);
            return creation;
        }

        @Override
        public CompletionStage<ApiResult<Candidate>> renew(Candidate candidate) {
            return new CompletableFuture<>();
        }

        @Override
        public CompletionStage<ApiResult<Candidate>> ping(Candidate candidate, Instant time) {
            return new CompletableFuture<>();
        }

        @Override
        public CompletionStage<ApiResult<Optional<Candidate>>> delete(ObjectKey key, Optional<String> resourceVersion) {
            return CompletableFuture.completedFuture(new ApiResult.Ok<>(Optional.empty()));
        }

        @Override
        public Subscription watch(ObjectKey key, Watcher<Candidate> watcher) {
            this.watcher = watcher;
            return () -> {};
        }
    }
}
