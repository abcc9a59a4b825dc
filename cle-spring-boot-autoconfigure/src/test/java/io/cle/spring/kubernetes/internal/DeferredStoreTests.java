package io.cle.spring.kubernetes.internal;

import java.util.List;
import java.util.Optional;

import io.cle.api.ApiFormat;
import io.cle.api.LeaseStore;
import io.cle.api.Subscription;
import io.cle.api.WatchEvent;
import io.cle.model.ApiResult;
import io.cle.model.Lease;
import io.cle.spring.properties.ApiSelection;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(OutputCaptureExtension.class)
class DeferredStoreTests extends DeferredStoreFixture {

    @Nested
    class PinnedFormat {

        @Test
        void isNotAskedFor() {
            assertThat(store(ApiSelection.CRD).read(LEASE).toCompletableFuture().join())
                    .isEqualTo(new ApiResult.Ok<>(Optional.empty()));
            assertThat(asked).containsExactly(ApiFormat.CRD);
            assertThat(server.requests).isZero();
        }

        @Test
        void isUsedWhateverTheServerSays(CapturedOutput output) {
            server.serves = List.of("coordination.k8s.io");
            server.gate = false;
            LeaseStore store = store(ApiSelection.NATIVE);

            store.read(LEASE);
            store.read(LEASE);

            assertThat(asked).containsOnly(ApiFormat.NATIVE);
            assertThat(output)
                    .containsOnlyOnce("the native format of candidates can't be used")
                    .contains("feature gate CoordinatedLeaderElection is off", "candidates race for their leases");
        }
    }

    @Nested
    class ChosenFormat {

        @Test
        void isTheNativeOneIfItIsServed() {
            server.serves = List.of("coordination.k8s.io", "coordination.cle.io");
            store(ApiSelection.AUTO).read(LEASE);
            assertThat(asked).containsExactly(ApiFormat.NATIVE);
        }

        @Test
        void isTheCrdOneIfTheFeatureGateOfTheNativeOneIsOff() {
            server.serves = List.of("coordination.k8s.io", "coordination.cle.io");
            server.gate = false;
            store(ApiSelection.AUTO).read(LEASE);
            assertThat(asked).containsExactly(ApiFormat.CRD);
        }

        @Test
        void isTheCrdOneIfTheNativeOneIsNotServedOrNeitherIs() {
            server.serves = List.of("coordination.cle.io");
            store(ApiSelection.AUTO).read(LEASE);
            server.serves = List.of();
            store(ApiSelection.AUTO).read(LEASE);
            assertThat(asked).containsExactly(ApiFormat.CRD, ApiFormat.CRD);
        }

        @Test
        void isAskedForOnce() {
            server.serves = List.of("coordination.k8s.io");
            LeaseStore store = store(ApiSelection.AUTO);
            store.read(LEASE);
            int requests = server.requests;
            assertThat(requests).isPositive();

            store.read(LEASE);
            assertThat(server.requests).isEqualTo(requests);
        }

        @Test
        void isAskedForAgainAfterARequestThatFailedBecauseItWasUnknown() {
            LeaseStore store = store(ApiSelection.AUTO);
            assertThat(store.read(LEASE).toCompletableFuture().join()).isInstanceOf(ApiResult.OutcomeUnknown.class);
            server.serves = List.of("coordination.k8s.io");
            assertThat(store.read(LEASE).toCompletableFuture().join()).isEqualTo(new ApiResult.Ok<>(Optional.empty()));
        }
    }

    @Nested
    class Watch {

        @Test
        void reportsThatTheApiServerIsAwayAndBeginsWhenItIsBack() {
            store(ApiSelection.AUTO).watch(LEASE, observed::add);
            assertThat(observed).singleElement().isInstanceOfSatisfying(WatchEvent.Interrupted.class, interrupted -> {
                assertThat(interrupted.message()).contains("connection refused");
                assertThat(interrupted.retryIn()).isBetween(RETRY_PERIOD.dividedBy(16), RETRY_PERIOD.dividedBy(8));
            });

            server.serves = List.of("coordination.k8s.io");
            loop.runScheduled();

            assertThat(observed).last().isEqualTo(new WatchEvent.Snapshot<Lease>(List.of()));
        }

        @Test
        void isOpenedAgainAfterARetryPeriodAtMostHoweverOftenThatHasFailed() {
            store(ApiSelection.AUTO).watch(LEASE, observed::add);
            for (int i = 0; i < 10; i++) {
                loop.runScheduled();
            }

            assertThat(observed)
                    .hasSizeGreaterThan(5)
                    .last()
                    .isInstanceOfSatisfying(
                            WatchEvent.Interrupted.class,
                            interrupted -> assertThat(interrupted.retryIn())
                                    .isBetween(RETRY_PERIOD.dividedBy(2), RETRY_PERIOD));
        }

        @Test
        void neverBeginsIfItIsClosedBefore() {
            Subscription watch = store(ApiSelection.AUTO).watch(LEASE, observed::add);
            watch.close();
            server.serves = List.of("coordination.k8s.io");
            loop.runScheduled();
            assertThat(observed).hasSize(1);
        }
    }
}
