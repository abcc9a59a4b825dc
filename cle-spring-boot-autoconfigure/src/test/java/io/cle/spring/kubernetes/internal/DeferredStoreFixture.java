package io.cle.spring.kubernetes.internal;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.cle.api.ApiFormat;
import io.cle.api.LeaseStore;
import io.cle.api.Subscription;
import io.cle.api.WatchEvent;
import io.cle.api.Watcher;
import io.cle.kubernetes.internal.deferred.DeferredStores;
import io.cle.kubernetes.internal.discovery.FormatDiscovery;
import io.cle.kubernetes.internal.discovery.FormatSelection;
import io.cle.kubernetes.internal.transport.ApiRequest;
import io.cle.kubernetes.internal.transport.ApiResponse;
import io.cle.kubernetes.internal.transport.KubernetesTransport;
import io.cle.kubernetes.internal.transport.NegotiatedTransport;
import io.cle.model.ApiResult;
import io.cle.model.Lease;
import io.cle.model.ObjectKey;
import io.cle.runtime.internal.loop.Clock;
import io.cle.runtime.internal.loop.EventLoop;
import io.cle.spring.properties.ApiSelection;

/** Stores on an API server of a few answers, on a loop that runs at once, with timers that the test runs. */
abstract class DeferredStoreFixture {

    static final ObjectKey LEASE = new ObjectKey("shop", "orders");
    static final Duration RETRY_PERIOD = Duration.ofSeconds(2);

    final ApiServer server = new ApiServer();
    final Loop loop = new Loop();
    final List<ApiFormat> asked = new ArrayList<>();
    final List<WatchEvent<Lease>> observed = new ArrayList<>();
    final List<StoreWatch> watches = new ArrayList<>();

    LeaseStore store(ApiSelection selection) {
        FormatDiscovery discovery =
                new FormatDiscovery(new NegotiatedTransport(server), LEASE.namespace(), Duration.ofSeconds(1));
        FormatSelection selected = FormatSelection.ofCandidate(discovery, selection.pinned(), loop, new Random(1));
        return new DeferredStores(selected, loop, RETRY_PERIOD, new Random(1)).leases(format -> {
            asked.add(format);
            return new EmptyStore();
        });
    }

    /** A watch of the store behind. */
    static final class StoreWatch implements Subscription {
        private final Watcher<Lease> watcher;
        boolean closed;

        StoreWatch(Watcher<Lease> watcher) {
            this.watcher = watcher;
        }

        void breaks() {
            watcher.onEvent(new WatchEvent.Interrupted<>("not served", RETRY_PERIOD));
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    final class EmptyStore implements LeaseStore {

        @Override
        public CompletionStage<ApiResult<Optional<Lease>>> read(ObjectKey key) {
            return CompletableFuture.completedFuture(new ApiResult.Ok<>(Optional.empty()));
        }

        @Override
        public CompletionStage<ApiResult<Lease>> create(Lease lease) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletionStage<ApiResult<Lease>> write(Lease lease) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Subscription watch(ObjectKey key, Watcher<Lease> watcher) {
            StoreWatch watch = new StoreWatch(watcher);
            watches.add(watch);
            watcher.onEvent(new WatchEvent.Snapshot<>(List.of()));
            return watch;
        }
    }

    static final class ApiServer implements KubernetesTransport {
        List<String> serves;
        boolean gate = true;
        int requests;

        @Override
        public CompletionStage<ApiResponse> send(ApiRequest request) {
            requests++;
            if (serves == null) {
                return CompletableFuture.completedFuture(new ApiResponse.Unanswered("connection refused"));
            }
            if (request.verb() == ApiRequest.Verb.CREATE) {
                JsonObject lease = gate ? request.body() : new JsonObject();
                return CompletableFuture.completedFuture(new ApiResponse.Answered(201, lease, null));
            }
            JsonObject resource = new JsonObject();
            resource.addProperty("name", "leasecandidates");
            JsonArray resources = new JsonArray();
            resources.add(resource);
            JsonObject body = new JsonObject();
            body.add("resources", resources);
            int status = serves.contains(request.resource().group()) ? 200 : 404;
            if (status == 404) {
                body.addProperty("kind", "Status");
            }
            return CompletableFuture.completedFuture(new ApiResponse.Answered(status, body, null));
        }

        @Override
        public Subscription watch(ApiRequest request, WatchStream stream) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close() {}
    }

    static final class Loop implements EventLoop {
        private final List<Runnable> scheduled = new ArrayList<>();
        private long nanos;

        void passes(Duration time) {
            nanos += time.toNanos();
        }

        @Override
        public void execute(Runnable task) {
            task.run();
        }

        @Override
        public Clock clock() {
            return new Clock() {
                @Override
                public long nanos() {
                    return nanos;
                }

                @Override
                public Instant wall() {
                    return Instant.EPOCH.plusNanos(nanos);
                }
            };
        }

        @Override
        public Timer schedule(Duration delay, Runnable task) {
            scheduled.add(task);
            return () -> scheduled.remove(task);
        }

        void runScheduled() {
            List<Runnable> due = List.copyOf(scheduled);
            scheduled.clear();
            due.forEach(Runnable::run);
        }
    }
}
