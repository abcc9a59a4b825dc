package io.cle.spring.kubernetes.internal;

import java.util.List;
import java.util.Optional;

import io.cle.api.ApiFormat;
import io.cle.api.Subscription;
import io.cle.api.WatchEvent;
import io.cle.kubernetes.internal.deferred.DeferredLeaseStore;
import io.cle.model.ApiResult;
import io.cle.model.Lease;
import io.cle.spring.properties.ApiSelection;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(OutputCaptureExtension.class)
class DeferredStoreTests extends DeferredStoreFixture {

    @Test
    void aPinnedFormatSendsNoRequest() {
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
                .containsOnlyOnce("the native format of candidates can't be used")
                .contains("feature gate CoordinatedLeaderElection is off", "candidates race for their leases");
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
            assertThat(interrupted.retryIn()).isBetween(RETRY_PERIOD.dividedBy(16), RETRY_PERIOD.dividedBy(8));
        });

        server.serves = List.of("coordination.k8s.io");
        loop.runScheduled();

        assertThat(told).last().isEqualTo(new WatchEvent.Snapshot<Lease>(List.of()));
    }

    @Test
    void aWatchIsOpenedAgainAfterARetryPeriodAtMostHoweverOftenThatHasFailed() {
        store(ApiSelection.AUTO).watch(LEASE, told::add);
        for (int i = 0; i < 10; i++) {
            loop.runScheduled();
        }

        assertThat(told)
                .hasSizeGreaterThan(5)
                .last()
                .isInstanceOfSatisfying(
                        WatchEvent.Interrupted.class,
                        interrupted ->
                                assertThat(interrupted.retryIn()).isBetween(RETRY_PERIOD.dividedBy(2), RETRY_PERIOD));
    }

    @Test
    void aWatchThatIsClosedBeforeItBeganNeverBegins() {
        Subscription watch = store(ApiSelection.AUTO).watch(LEASE, told::add);
        watch.close();
        server.serves = List.of("coordination.k8s.io");
        loop.runScheduled();
        assertThat(told).hasSize(1);
    }
}
