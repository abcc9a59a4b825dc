package io.cle.election.internal;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.cle.ApiFormat;
import io.cle.model.Candidate;
import io.cle.model.ObjectKey;
import io.cle.model.PodRef;
import io.cle.model.internal.ApiResult;
import io.cle.model.internal.Lease;
import io.cle.model.internal.PodState;
import io.cle.store.internal.CandidateStore;
import io.cle.store.internal.ConfigurationStatus;
import io.cle.store.internal.CoordinatorApi;
import io.cle.store.internal.LeaseConfiguration;
import io.cle.store.internal.LeaseStore;
import io.cle.store.internal.Subscription;
import io.cle.store.internal.Watcher;

/** An API server of a few objects, which answers at once; what its watches tell is up to the test. */
final class FakeCoordinatorApi implements CoordinatorApi {

    final Map<ObjectKey, Lease> leases = new LinkedHashMap<>();
    final Map<ObjectKey, Candidate> candidates = new LinkedHashMap<>();
    final List<String> events = new ArrayList<>();
    final List<ObjectKey> eventsAbout = new ArrayList<>();
    final List<PodRef> podsRead = new ArrayList<>();
    CompletionStage<Void> beforeCreate = CompletableFuture.completedFuture(null);
    CompletionStage<Void> beforePod = CompletableFuture.completedFuture(null);
    Watcher<Lease> leaseWatcher = unused -> {};
    Watcher<Candidate> candidateWatcher = unused -> {};
    Watcher<LeaseConfiguration> configurationWatcher = unused -> {};
    final List<String> pings = new ArrayList<>();
    String pingRefused = "";
    int pingRefusedBy = 403;
    boolean namespaceMissing;

    /** Whether an admission policy drops the pings. */
    boolean pingsDropped;

    /** What the API server says to every write of a lease; empty when it accepts them. */
    String leasesRefused = "";

    /** What the API server says to every Event, and to every read of a candidate; empty when it allows them. */
    String eventsRefused = "";

    String candidateReadsRefused = "";

    /** Whether no write of a lease is answered, nor carried out. */
    boolean leasesUnanswered;

    /** Whether an admission policy drops the annotations of every lease that is written. */
    boolean annotationsDropped;

    /** The candidates whose removal was asked for. */
    final List<ObjectKey> deletions = new ArrayList<>();

    /** Answers to these requests, which the test gives, if they have to wait. */
    final Deque<Runnable> waitingDeletions = new ArrayDeque<>();

    boolean deletionsWait;

    /** What the API server says to every removal of a candidate; empty when it accepts them. */
    String deletionsRefused = "";

    int leaseWrites;
    int creations;
    int openWatches;
    PodState pod = new PodState.Unclear("not reported");
    private int version = 100;

    /** Stores a candidate, as its process does. */
    Candidate put(Candidate candidate) {
        Candidate stored = candidate.toBuilder()
                .resourceVersion(Integer.toString(++version))
                .build();
        candidates.put(stored.key(), stored);
        return stored;
    }

    /** Stores a lease, as its holder does. */
    Lease put(Lease lease) {
        Lease stored =
                lease.toBuilder().resourceVersion(Integer.toString(++version)).build();
        leases.put(stored.key(), stored);
        return stored;
    }

    final Map<ObjectKey, ConfigurationStatus> reports = new LinkedHashMap<>();

    /** What the API server says to every write of a status; empty when it accepts them. */
    String reportsRefused = "";

    @Override
    public CompletionStage<ApiResult<ObjectKey>> report(LeaseConfiguration configuration, ConfigurationStatus status) {
        if (!reportsRefused.isEmpty()) {
            return CompletableFuture.completedStage(new ApiResult.Refused<>(403, reportsRefused, null));
        }
        reports.put(configuration.key(), status);
        return CompletableFuture.completedStage(new ApiResult.Ok<>(configuration.key()));
    }

    private ApiResult<Lease> stored(Lease written) {
        return annotationsDropped
                ? new ApiResult.Changed<>(
                        put(written.toBuilder()
                                .term(null)
                                .electedBy(null)
                                .strategy(null)
                                .recordedStrategy(null)
                                .noEndOfTerm()
                                .build()),
                        "annotations are missing")
                : new ApiResult.Ok<>(put(written));
    }

    private boolean failsWrites() {
        return leasesUnanswered || !leasesRefused.isEmpty();
    }

    private ApiResult<Lease> failedWrite() {
        return leasesUnanswered
                ? new ApiResult.OutcomeUnknown<>("timed out")
                : new ApiResult.Refused<>(403, leasesRefused, null);
    }

    private static <T> CompletionStage<ApiResult<T>> done(ApiResult<T> result) {
        return CompletableFuture.completedFuture(result);
    }

    @Override
    public ApiFormat format() {
        return ApiFormat.CRD;
    }

    @Override
    public LeaseStore leases() {
        return new LeaseStore() {
            @Override
            public CompletionStage<ApiResult<Optional<Lease>>> read(ObjectKey key) {
                return done(new ApiResult.Ok<>(Optional.ofNullable(leases.get(key))));
            }

            @Override
            public CompletionStage<ApiResult<Lease>> create(Lease lease) {
                creations++;
                leaseWrites++;
                if (failsWrites()) {
                    return done(failedWrite());
                }
                if (namespaceMissing) {
                    return done(new ApiResult.Gone<>("namespaces \"shop\" not found"));
                }
                return beforeCreate.thenApply(unused ->
                        leases.containsKey(lease.key()) ? new ApiResult.Conflict<>("it exists") : stored(lease));
            }

            @Override
            public CompletionStage<ApiResult<Lease>> write(Lease lease) {
                leaseWrites++;
                if (failsWrites()) {
                    return done(failedWrite());
                }
                Lease stored = leases.get(lease.key());
                return stored != null
                                && String.valueOf(stored.resourceVersion()).equals(lease.resourceVersion())
                        ? done(stored(lease))
                        : done(new ApiResult.Conflict<>("it has changed"));
            }

            @Override
            public Optional<String> endingLine(Lease lease) {
                return Optional.of("kubectl ends version " + lease.resourceVersion());
            }

            @Override
            public Subscription watch(ObjectKey key, Watcher<Lease> watcher) {
                throw new UnsupportedOperationException();
            }
        };
    }

    @Override
    public CandidateStore candidates() {
        return new CandidateStore() {
            @Override
            public CompletionStage<ApiResult<List<Candidate>>> list(ObjectKey lease) {
                throw new UnsupportedOperationException();
            }

            @Override
            public CompletionStage<ApiResult<Optional<Candidate>>> read(ObjectKey key) {
                return done(
                        candidateReadsRefused.isEmpty()
                                ? new ApiResult.Ok<>(Optional.ofNullable(candidates.get(key)))
                                : new ApiResult.Refused<>(403, candidateReadsRefused, null));
            }

            @Override
            public CompletionStage<ApiResult<Candidate>> create(Candidate candidate) {
                throw new UnsupportedOperationException();
            }

            @Override
            public CompletionStage<ApiResult<Candidate>> renew(Candidate candidate) {
                throw new UnsupportedOperationException();
            }

            @Override
            public CompletionStage<ApiResult<Candidate>> ping(Candidate candidate, Instant time) {
                pings.add(candidate.key().name());
                if (candidate.key().name().equals(pingRefused)) {
                    return done(new ApiResult.Refused<>(pingRefusedBy, "no", null));
                }
                if (pingsDropped) {
                    return done(new ApiResult.Changed<>(put(candidate), "spec.pingTime is missing"));
                }
                return done(new ApiResult.Ok<>(
                        put(candidate.toBuilder().pingTime(time).build())));
            }

            @Override
            public CompletionStage<ApiResult<Optional<Candidate>>> delete(
                    ObjectKey key, Optional<String> resourceVersion) {
                deletions.add(key);
                if (!deletionsRefused.isEmpty()) {
                    return done(new ApiResult.Refused<>(403, deletionsRefused, null));
                }
                if (deletionsWait) {
                    CompletableFuture<ApiResult<Optional<Candidate>>> answer = new CompletableFuture<>();
                    waitingDeletions.add(
                            () -> answer.complete(new ApiResult.Ok<>(Optional.ofNullable(candidates.remove(key)))));
                    return answer;
                }
                Candidate stored = candidates.get(key);
                boolean another = stored != null
                        && resourceVersion.isPresent()
                        && !resourceVersion.get().equals(stored.resourceVersion());
                return another
                        ? done(new ApiResult.Conflict<>("it has changed"))
                        : done(new ApiResult.Ok<>(Optional.ofNullable(candidates.remove(key))));
            }

            @Override
            public Subscription watch(ObjectKey key, Watcher<Candidate> watcher) {
                throw new UnsupportedOperationException();
            }
        };
    }

    private Subscription opened(Runnable close) {
        openWatches++;
        return () -> {
            openWatches--;
            close.run();
        };
    }

    @Override
    public Subscription watchLeases(Watcher<Lease> watcher) {
        leaseWatcher = watcher;
        return opened(() -> leaseWatcher = unused -> {});
    }

    @Override
    public Subscription watchCandidates(Watcher<Candidate> watcher) {
        candidateWatcher = watcher;
        return opened(() -> candidateWatcher = unused -> {});
    }

    @Override
    public Subscription watchConfigurations(Watcher<LeaseConfiguration> watcher) {
        configurationWatcher = watcher;
        return opened(() -> configurationWatcher = unused -> {});
    }

    @Override
    public CompletionStage<ApiResult<PodState>> pod(PodRef ref) {
        podsRead.add(ref);
        PodState read = pod;
        return beforePod.thenApply(unused -> new ApiResult.Ok<>(read));
    }

    @Override
    public CompletionStage<ApiResult<String>> event(Lease lease, boolean warning, String reason, String message) {
        events.add(reason + ": " + message);
        eventsAbout.add(lease.key());
        return done(
                eventsRefused.isEmpty()
                        ? new ApiResult.Ok<>("event")
                        : new ApiResult.Refused<>(403, eventsRefused, null));
    }
}
