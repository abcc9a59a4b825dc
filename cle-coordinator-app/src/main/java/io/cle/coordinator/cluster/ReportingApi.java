package io.cle.coordinator.cluster;

import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;

import io.cle.api.ApiFormat;
import io.cle.api.ApiResult;
import io.cle.api.CandidateStore;
import io.cle.api.CoordinatorApi;
import io.cle.api.LeaseConfiguration;
import io.cle.api.LeaseStore;
import io.cle.api.PodState;
import io.cle.api.Subscription;
import io.cle.api.Watcher;
import io.cle.model.Candidate;
import io.cle.model.Lease;
import io.cle.model.ObjectKey;
import io.cle.model.PodRef;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

/** The API of a coordinator, with what it does being counted, and with Events only from the replica that coordinates. */
public final class ReportingApi implements CoordinatorApi {

    private final CoordinatorApi api;
    private final BooleanSupplier coordinating;
    private final MeterRegistry meters;
    private final CandidateStore candidates;

    /**
     * An API on another one.
     *
     * @param coordinating whether this replica coordinates
     */
    public ReportingApi(CoordinatorApi api, BooleanSupplier coordinating, MeterRegistry meters) {
        this.api = api;
        this.coordinating = coordinating;
        this.meters = meters;
        this.candidates = new CountingCandidates(
                api.candidates(),
                Counter.builder("cle.coordinator.pings")
                        .description("Candidates that were asked to acknowledge")
                        .register(meters));
    }

    @Override
    public ApiFormat format() {
        return api.format();
    }

    @Override
    public LeaseStore leases() {
        return api.leases();
    }

    @Override
    public CandidateStore candidates() {
        return candidates;
    }

    @Override
    public Subscription watchLeases(Watcher<Lease> watcher) {
        return api.watchLeases(watcher);
    }

    @Override
    public Subscription watchCandidates(Watcher<Candidate> watcher) {
        return api.watchCandidates(watcher);
    }

    @Override
    public Subscription watchConfigurations(Watcher<LeaseConfiguration> watcher) {
        return api.watchConfigurations(watcher);
    }

    @Override
    public CompletionStage<ApiResult<PodState>> pod(PodRef pod) {
        return api.pod(pod);
    }

    /** {@inheritDoc} A standby sees the same as the one that coordinates, which has told of it already. */
    @Override
    public CompletionStage<ApiResult<String>> event(Lease lease, boolean warning, String reason, String message) {
        if (!coordinating.getAsBoolean()) {
            return CompletableFuture.completedStage(new ApiResult.Ok<>("left to the replica that coordinates"));
        }
        Counter.builder("cle.coordinator.decisions")
                .description("What was done about leases, by the reason of the Event that told of it")
                .tag("reason", reason)
                .register(meters)
                .increment();
        return api.event(lease, warning, reason, message);
    }

    /** Candidates, with pings being counted. */
    private record CountingCandidates(CandidateStore store, Counter pings) implements CandidateStore {

        @Override
        public CompletionStage<ApiResult<Optional<Candidate>>> read(ObjectKey key) {
            return store.read(key);
        }

        @Override
        public CompletionStage<ApiResult<Candidate>> create(Candidate candidate) {
            return store.create(candidate);
        }

        @Override
        public CompletionStage<ApiResult<Candidate>> renew(Candidate candidate) {
            return store.renew(candidate);
        }

        @Override
        public CompletionStage<ApiResult<Candidate>> ping(Candidate candidate, Instant time) {
            pings.increment();
            return store.ping(candidate, time);
        }

        @Override
        public CompletionStage<ApiResult<Optional<Candidate>>> delete(ObjectKey key, Optional<String> resourceVersion) {
            return store.delete(key, resourceVersion);
        }

        @Override
        public Subscription watch(ObjectKey key, Watcher<Candidate> watcher) {
            return store.watch(key, watcher);
        }
    }
}
