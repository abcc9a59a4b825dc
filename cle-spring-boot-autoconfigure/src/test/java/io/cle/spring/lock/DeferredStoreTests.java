package io.cle.spring.lock;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.cle.api.ApiFormat;
import io.cle.api.ApiResult;
import io.cle.api.LeaseStore;
import io.cle.api.Subscription;
import io.cle.api.WatchEvent;
import io.cle.api.Watcher;
import io.cle.kubernetes.ApiRequest;
import io.cle.kubernetes.ApiResponse;
import io.cle.kubernetes.FormatDiscovery;
import io.cle.kubernetes.KubernetesTransport;
import io.cle.model.Lease;
import io.cle.model.ObjectKey;
import io.cle.runtime.Clock;
import io.cle.runtime.EventLoop;
import io.cle.spring.properties.ApiSelection;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(OutputCaptureExtension.class)
class DeferredStoreTests {

    private static final ObjectKey LEASE = new ObjectKey("shop", "orders");
    private static final Duration RETRY_PERIOD = Duration.ofSeconds(2);

    private final ApiServer server = new ApiServer();
    private final Loop loop = new Loop();
    private final List<ApiFormat> asked = new ArrayList<>();
    private final List<WatchEvent<Lease>> told = new ArrayList<>();
    private final List<StoreWatch> watches = new ArrayList<>();

    private DeferredLeaseStore store(ApiSelection selection) {
        FormatDiscovery discovery = new FormatDiscovery(server, LEASE.namespace(), Duration.ofSeconds(1));
        return new DeferredLeaseStore(
                new WireFormat(selection, discovery, loop),
                format -> {
                    asked.add(format);
                    return new EmptyStore();
                },
                loop,
                RETRY_PERIOD);
    }

    @Test
    void aPinnedFormatAsksNobody() {
        assertThat(store(ApiSelection.CRD).read(LEASE).toCompletableFuture().join())
                .isEqualTo(new ApiResult.Ok<>(Optional.empty()));
        assertThat(asked).containsExactly(ApiFormat.CRD);
        assertThat(server.requests).isZero();
    }

    @Test
    void theNativeFormatThatIsPinnedIsUsedWhateverTheServerSays(CapturedOutput output) {
        server.serves = List.of("coordination.k8s.io");
        server.gate = false;
        DeferredLeaseStore store = store(ApiSelection.NATIVE);

        store.read(LEASE);
        store.read(LEASE);

        assertThat(asked).containsOnly(ApiFormat.NATIVE);
        assertThat(output)
                .containsOnlyOnce("cle.api is native, but nobody can be elected in that format")
                .contains("feature gate CoordinatedLeaderElection is off", "Set cle.api to auto or crd");
    }

    @Test
    void theCrdFormatIsChosenWhereTheFeatureGateOfTheNativeOneIsOff() {
        server.serves = List.of("coordination.k8s.io", "coordination.cle.io");
        server.gate = false;
        store(ApiSelection.AUTO).read(LEASE);
        assertThat(asked).containsExactly(ApiFormat.CRD);
    }

    @Test
    void theNativeFormatIsChosenWhereItIsServed() {
        server.serves = List.of("coordination.k8s.io", "coordination.cle.io");
        store(ApiSelection.AUTO).read(LEASE);
        assertThat(asked).containsExactly(ApiFormat.NATIVE);
    }

    @Test
    void theCrdFormatIsChosenWhereTheNativeOneIsNotServedAndWhereNeitherIs() {
        server.serves = List.of("coordination.cle.io");
        store(ApiSelection.AUTO).read(LEASE);
        server.serves = List.of();
        store(ApiSelection.AUTO).read(LEASE);
        assertThat(asked).containsExactly(ApiFormat.CRD, ApiFormat.CRD);
    }

    @Test
    void theFormatIsAskedForOnce() {
        server.serves = List.of("coordination.k8s.io");
        DeferredLeaseStore store = store(ApiSelection.AUTO);
        store.read(LEASE);
        int requests = server.requests;
        store.read(LEASE);
        assertThat(server.requests).isEqualTo(requests);
    }

    @Test
    void aRequestFailsAsTheQuestionForTheFormatDoesAndTheNextOneAsksAgain() {
        DeferredLeaseStore store = store(ApiSelection.AUTO);
        assertThat(store.read(LEASE).toCompletableFuture().join()).isInstanceOf(ApiResult.OutcomeUnknown.class);
        server.serves = List.of("coordination.k8s.io");
        assertThat(store.read(LEASE).toCompletableFuture().join()).isEqualTo(new ApiResult.Ok<>(Optional.empty()));
    }

    @Test
    void aWatchTellsThatTheApiServerIsAwayAndBeginsWhenItIsBack() {
        store(ApiSelection.AUTO).watch(LEASE, told::add);
        assertThat(told).singleElement().isInstanceOfSatisfying(WatchEvent.Interrupted.class, interrupted -> {
            assertThat(interrupted.message()).contains("connection refused");
            assertThat(interrupted.retryIn()).isEqualTo(RETRY_PERIOD);
        });

        server.serves = List.of("coordination.k8s.io");
        loop.runScheduled();

        assertThat(told).last().isEqualTo(new WatchEvent.Snapshot<Lease>(List.of()));
    }

    @Test
    void aWatchThatIsClosedBeforeItBeganNeverBegins() {
        Subscription watch = store(ApiSelection.AUTO).watch(LEASE, told::add);
        watch.close();
        server.serves = List.of("coordination.k8s.io");
        loop.runScheduled();
        assertThat(told).hasSize(1);
    }

    @Test
    void aFormatThatIsServedNoMoreIsLeftForTheOtherOneAndTheWatchGoesOnThere(CapturedOutput output) {
        server.serves = List.of("coordination.k8s.io", "coordination.cle.io");
        DeferredLeaseStore store = store(ApiSelection.AUTO);
        store.watch(LEASE, told::add);
        server.serves = List.of("coordination.cle.io");

        watches.get(0).breaks();
        loop.runScheduled();
        assertThat(asked).containsExactly(ApiFormat.NATIVE);
        assertThat(output).contains("the format of candidates, native, can't be used any more");

        loop.passes(Duration.ofSeconds(10));
        loop.runScheduled();

        assertThat(asked).containsExactly(ApiFormat.NATIVE, ApiFormat.CRD);
        assertThat(output)
                .contains("the format of candidates changes from native to crd: the API server doesn't serve");
        assertThat(watches).extracting(watch -> watch.closed).containsExactly(true, false);
        assertThat(told).last().isEqualTo(new WatchEvent.Snapshot<Lease>(List.of()));
        store.read(LEASE);
        assertThat(asked).last().isEqualTo(ApiFormat.CRD);
    }

    @Test
    void aFormatThatCanBeUsedIsKeptWhenTheNativeOneComesToBeServed(CapturedOutput output) {
        server.serves = List.of("coordination.cle.io");
        store(ApiSelection.AUTO).watch(LEASE, told::add);
        server.serves = List.of("coordination.k8s.io", "coordination.cle.io");

        watches.get(0).breaks();
        loop.runScheduled();
        loop.passes(Duration.ofMinutes(30));
        loop.runScheduled();

        assertThat(asked).containsExactly(ApiFormat.CRD);
        assertThat(output).containsOnlyOnce("the format of candidates is crd, and stays so until the next start");
    }

    @Test
    void anApiServerThatIsAwayIsAskedUntilItTellsWhatItServes() {
        server.serves = List.of("coordination.k8s.io", "coordination.cle.io");
        store(ApiSelection.AUTO).watch(LEASE, told::add);
        server.serves = null;
        watches.get(0).breaks();
        loop.runScheduled();
        loop.runScheduled();

        server.serves = List.of("coordination.cle.io");
        loop.runScheduled();
        loop.passes(Duration.ofSeconds(10));
        loop.runScheduled();

        assertThat(asked).containsExactly(ApiFormat.NATIVE, ApiFormat.CRD);
    }

    @Test
    void aPinnedFormatIsNotLeft() {
        server.serves = List.of("coordination.cle.io");
        store(ApiSelection.NATIVE).watch(LEASE, told::add);

        watches.get(0).breaks();
        loop.passes(Duration.ofSeconds(10));
        loop.runScheduled();

        assertThat(asked).containsExactly(ApiFormat.NATIVE);
    }

    @Test
    void aClosedWatchDoesNotGoOnInTheOtherFormat() {
        server.serves = List.of("coordination.k8s.io");
        store(ApiSelection.AUTO).watch(LEASE, told::add).close();
        server.serves = List.of("coordination.cle.io");

        watches.get(0).breaks();
        loop.runScheduled();
        loop.passes(Duration.ofSeconds(10));
        loop.runScheduled();

        assertThat(asked).containsExactly(ApiFormat.NATIVE);
    }

    /** A watch of the store behind. */
    private static final class StoreWatch implements Subscription {
        private final Watcher<Lease> watcher;
        private boolean closed;

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

    private final class EmptyStore implements LeaseStore {

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

    private static final class ApiServer implements KubernetesTransport {
        private List<String> serves;
        private boolean gate = true;
        private int requests;

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
            return CompletableFuture.completedFuture(new ApiResponse.Answered(status, body, null));
        }

        @Override
        public Subscription watch(ApiRequest request, WatchStream stream) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close() {}
    }

    private static final class Loop implements EventLoop {
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
