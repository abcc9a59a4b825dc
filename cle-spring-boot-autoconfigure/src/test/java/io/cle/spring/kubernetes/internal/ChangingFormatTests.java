package io.cle.spring.kubernetes.internal;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.cle.api.ApiFormat;
import io.cle.api.CandidateStore;
import io.cle.api.LeaseStore;
import io.cle.api.Subscription;
import io.cle.api.WatchEvent;
import io.cle.api.Watcher;
import io.cle.kubernetes.internal.deferred.DeferredStores;
import io.cle.kubernetes.internal.discovery.FormatDiscovery;
import io.cle.kubernetes.internal.discovery.FormatSelection;
import io.cle.kubernetes.internal.transport.NegotiatedTransport;
import io.cle.model.ApiResult;
import io.cle.model.Candidate;
import io.cle.model.Lease;
import io.cle.model.ObjectKey;
import io.cle.spring.properties.ApiSelection;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/** API servers that change while locks run. */
@ExtendWith(OutputCaptureExtension.class)
class ChangingFormatTests extends DeferredStoreFixture {

    @Test
    void aFormatThatIsNoLongerServedIsLeftForTheOtherOneAndTheWatchGoesOnThere(CapturedOutput output) {
        server.serves = List.of("coordination.k8s.io", "coordination.cle.io");
        LeaseStore store = store(ApiSelection.AUTO);
        store.watch(LEASE, observed::add);
        server.serves = List.of("coordination.cle.io");

        watches.get(0).breaks();
        loop.runScheduled();
        assertThat(asked).containsExactly(ApiFormat.NATIVE);

        loop.passes(Duration.ofSeconds(10));
        loop.runScheduled();

        assertThat(asked).containsExactly(ApiFormat.NATIVE, ApiFormat.CRD);
        assertThat(output)
                .contains("the format of candidates changes from native to crd: the API server doesn't serve");
        assertThat(watches).extracting(watch -> watch.closed).containsExactly(true, false);
        assertThat(observed).last().isEqualTo(new WatchEvent.Snapshot<Lease>(List.of()));
        store.read(LEASE);
        assertThat(asked).last().isEqualTo(ApiFormat.CRD);
    }

    @Test
    void aCandidateIsDeletedInTheFormatThatIsLeftAndWhatIsStillAnsweredThereDoesNotCount() {
        server.serves = List.of("coordination.k8s.io", "coordination.cle.io");
        FormatDiscovery discovery =
                new FormatDiscovery(new NegotiatedTransport(server), LEASE.namespace(), Duration.ofSeconds(1));
        FormatSelection format = FormatSelection.ofCandidate(discovery, Optional.empty(), loop, new Random(1));
        Candidates inNative = new Candidates();
        Candidates inCrd = new Candidates();
        Candidate candidate = Candidate.builder(LEASE, LEASE).build();
        CandidateStore store = new DeferredStores(format, loop, RETRY_PERIOD, new Random(1))
                .candidates(chosen -> chosen == ApiFormat.NATIVE ? inNative : inCrd);
        store.watch(LEASE, event -> {});
        CompletionStage<ApiResult<Candidate>> renewed = store.renew(candidate);

        server.gate = false;
        format.doubt();
        loop.runScheduled();
        loop.passes(Duration.ofSeconds(10));
        loop.runScheduled();
        inNative.renewal.complete(new ApiResult.Ok<>(candidate));

        assertThat(inNative.did).containsExactly("watches shop/orders", "closes its watch", "deletes shop/orders");
        assertThat(inCrd.did).containsExactly("watches shop/orders");
        assertThat(renewed.toCompletableFuture().join()).isInstanceOf(ApiResult.OutcomeUnknown.class);
    }

    @Test
    void aFormatThatCanBeUsedIsKeptWhenTheNativeOneComesToBeServed(CapturedOutput output) {
        server.serves = List.of("coordination.cle.io");
        store(ApiSelection.AUTO).watch(LEASE, observed::add);
        server.serves = List.of("coordination.k8s.io", "coordination.cle.io");

        watches.get(0).breaks();
        loop.runScheduled();
        loop.passes(Duration.ofMinutes(30));
        loop.runScheduled();

        assertThat(asked).containsExactly(ApiFormat.CRD);
        assertThat(output).containsOnlyOnce("the format of candidates is crd, and stays so until the next start");
    }

    @Test
    void anApiServerThatIsAwayIsAskedUntilItSaysWhatItServes() {
        server.serves = List.of("coordination.k8s.io", "coordination.cle.io");
        store(ApiSelection.AUTO).watch(LEASE, observed::add);
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
        server.serves = List.of("coordination.k8s.io", "coordination.cle.io");
        store(ApiSelection.NATIVE).watch(LEASE, observed::add);
        server.serves = List.of("coordination.cle.io");

        watches.get(0).breaks();
        for (int i = 0; i < 3; i++) {
            loop.runScheduled();
            loop.passes(Duration.ofSeconds(10));
        }

        assertThat(asked).containsExactly(ApiFormat.NATIVE);
    }

    @Test
    void aClosedWatchDoesNotGoOnInTheOtherFormat() {
        server.serves = List.of("coordination.k8s.io");
        store(ApiSelection.AUTO).watch(LEASE, observed::add).close();
        server.serves = List.of("coordination.cle.io");

        watches.get(0).breaks();
        loop.runScheduled();
        loop.passes(Duration.ofSeconds(10));
        loop.runScheduled();

        assertThat(asked).containsExactly(ApiFormat.NATIVE);
    }

    /** Remembers what is done, and leaves a renewal open. */
    private static final class Candidates implements CandidateStore {
        private final List<String> did = new ArrayList<>();
        private final CompletableFuture<ApiResult<Candidate>> renewal = new CompletableFuture<>();

        @Override
        public CompletionStage<ApiResult<List<Candidate>>> list(ObjectKey lease) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletionStage<ApiResult<Optional<Candidate>>> read(ObjectKey key) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletionStage<ApiResult<Candidate>> create(Candidate candidate) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletionStage<ApiResult<Candidate>> renew(Candidate candidate) {
            return renewal;
        }

        @Override
        public CompletionStage<ApiResult<Candidate>> ping(Candidate candidate, Instant time) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletionStage<ApiResult<Optional<Candidate>>> delete(ObjectKey key, Optional<String> resourceVersion) {
            did.add("deletes " + key);
            return CompletableFuture.completedFuture(new ApiResult.Ok<>(Optional.empty()));
        }

        @Override
        public Subscription watch(ObjectKey key, Watcher<Candidate> watcher) {
            did.add("watches " + key);
            return () -> did.add("closes its watch");
        }
    }
}
