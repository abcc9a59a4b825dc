package io.cle.kubernetes.internal.discovery;

import java.time.Duration;
import java.util.Map;
import java.util.Set;

import io.cle.api.ApiFormat;
import io.cle.kubernetes.internal.transport.ApiRequest;
import io.cle.kubernetes.internal.transport.FakeTransport;
import io.cle.kubernetes.internal.transport.NegotiatedTransport;
import io.cle.kubernetes.internal.transport.ResourceType;
import io.cle.model.ApiResult;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Which formats an API server can be used with, by what it lists and by what it does with a Lease. */
class FormatDiscoveryTest {

    private static final String CANDIDATES = "{'resources': [{'name': 'leasecandidates'}, {'name': 'other'}]}";
    private static final String NOTHING = "{'message': '404 page not found'}";
    private static final String LEASES_ONLY = "{'resources': [{'name': 'leases'}]}";
    private static final String KEPT = "{'spec': {'strategy': 'OldestEmulationVersion'}}";
    private static final String DROPPED = "{'spec': {}}";

    private final FakeTransport transport = new FakeTransport();
    private final NegotiatedTransport negotiated = new NegotiatedTransport(transport);
    private final FormatDiscovery discovery = new FormatDiscovery(negotiated, "shop", Duration.ofSeconds(5));

    private FakeTransport v1beta1() {
        return transport.answer(200, LEASES_ONLY).answer(200, CANDIDATES);
    }

    private FakeTransport noVersion() {
        return transport.answer(200, LEASES_ONLY).answer(404, NOTHING).answer(404, NOTHING);
    }

    private ServedFormats served() {
        ApiResult<ServedFormats> result = discovery.ask().toCompletableFuture().join();
        assertThat(result).isInstanceOf(ApiResult.Ok.class);
        return ((ApiResult.Ok<ServedFormats>) result).value();
    }

    @Nested
    class NativeFormat {

        @Test
        void isPreferredIfItIsServed() {
            v1beta1().answer(201, KEPT).answer(200, CANDIDATES);

            ServedFormats served = served();

            assertThat(served.formats()).isEqualTo(Set.of(ApiFormat.NATIVE, ApiFormat.CRD));
            assertThat(served.preferred()).contains(ApiFormat.NATIVE);
            assertThat(served.reason()).contains("serves coordination.k8s.io/v1beta1");
            assertThat(transport.requests)
                    .extracting(ApiRequest::path)
                    .containsExactly(
                            "/apis/coordination.k8s.io/v1",
                            "/apis/coordination.k8s.io/v1beta1",
                            "/apis/coordination.k8s.io/v1/namespaces/shop/leases",
                            "/apis/coordination.cle.io/v1alpha1");
        }

        @Test
        void isUsedInItsNewestVersion() {
            transport.answer(200, CANDIDATES).answer(201, KEPT).answer(200, CANDIDATES);
            assertThat(served().reason()).contains("serves coordination.k8s.io/v1 LeaseCandidates");
            assertThat(versionInUse()).isEqualTo("v1");

            transport
                    .answer(200, LEASES_ONLY)
                    .answer(404, NOTHING)
                    .answer(200, CANDIDATES)
                    .answer(201, KEPT)
                    .answer(200, CANDIDATES);
            assertThat(served().reason()).contains("serves coordination.k8s.io/v1alpha2 LeaseCandidates");
            assertThat(versionInUse()).isEqualTo("v1alpha2");
        }

        private String versionInUse() {
            negotiated.send(new ApiRequest(
                    ApiRequest.Verb.LIST, ResourceType.NATIVE_CANDIDATES, "shop", null, Map.of(), null, Duration.ZERO));
            return transport.lastRequest().resource().version();
        }
    }

    @Nested
    class NoNativeFormat {

        @Test
        void leavesTheCrdFormatAndTheReasonSaysSo() {
            noVersion().answer(200, CANDIDATES);

            ServedFormats served = served();

            assertThat(served.preferred()).contains(ApiFormat.CRD);
            assertThat(served.reason()).contains("doesn't serve coordination.k8s.io LeaseCandidates");
        }

        @Test
        void isServedByAGroupThatListsNoCandidates() {
            transport
                    .answer(200, LEASES_ONLY)
                    .answer(200, LEASES_ONLY)
                    .answer(404, NOTHING)
                    .answer(200, "{'resources': []}");

            ServedFormats served = served();

            assertThat(served.preferred()).isEmpty();
            assertThat(served.reason()).contains("neither").contains("deploy/crds/leasecandidates.yaml");
        }
    }

    @Nested
    class FeatureGate {

        @Test
        void isTriedWithoutCreatingALease() {
            v1beta1().answer(201, KEPT).answer(200, CANDIDATES);

            served();

            ApiRequest trial = transport.requests.get(2);
            assertThat(trial.verb()).isEqualTo(ApiRequest.Verb.CREATE);
            assertThat(trial.query()).isEqualTo(Map.of("dryRun", "All"));
        }

        @Test
        void leavesTheCrdFormatIfItIsOffAndTheReasonSaysWhy() {
            v1beta1().answer(201, DROPPED).answer(200, CANDIDATES);

            ServedFormats served = served();

            assertThat(served.preferred()).contains(ApiFormat.CRD);
            assertThat(served.formats()).doesNotContain(ApiFormat.NATIVE);
            assertThat(served.reason())
                    .contains("feature gate CoordinatedLeaderElection is off", "coordination.cle.io/v1alpha1");
        }

        @Test
        void leavesNoFormatIfItIsOffAndThereIsNoCrdAndTheReasonSaysWhatToDo() {
            v1beta1().answer(201, DROPPED).answer(404, NOTHING);

            ServedFormats served = served();

            assertThat(served.preferred()).isEmpty();
            assertThat(served.reason()).contains("switch it on, or apply", "deploy/crds/leasecandidates.yaml");
        }

        @ParameterizedTest
        @ValueSource(ints = {400, 403, 404, 422})
        void countsAsOnIfItMayNotBeTriedAndTheDoubtIsReported(int status) {
            v1beta1()
                    .answer(status, "{'kind': 'Status', 'message': 'not here'}")
                    .answer(200, CANDIDATES);

            ServedFormats served = served();

            assertThat(served.preferred()).contains(ApiFormat.NATIVE);
            assertThat(served.reason()).contains("could not be tried", "not here", "the crd format has to be set");
        }

        @Test
        void isUnknownIfTheServerHasNoTimeForTheTrial() {
            v1beta1().answer(429, "{}").answer(200, CANDIDATES);
            assertThat(discovery.ask().toCompletableFuture().join()).isInstanceOf(ApiResult.Refused.class);

            v1beta1().answer(500, "{}").answer(200, CANDIDATES);
            assertThat(discovery.ask().toCompletableFuture().join()).isInstanceOf(ApiResult.OutcomeUnknown.class);
        }
    }

    @Nested
    class UnclearAnswer {

        @Test
        void isThePageOfALoadBalancer() {
            transport.answer(404, "{'message': '<html>404 Not Found</html>'}").answer(200, CANDIDATES);

            assertThat(discovery.ask().toCompletableFuture().join()).isInstanceOf(ApiResult.OutcomeUnknown.class);
        }

        @Test
        void isNotTakenForAVersionThatIsNotServed() {
            transport.answer(503, "{}").answer(200, CANDIDATES);

            assertThat(discovery.ask().toCompletableFuture().join()).isInstanceOf(ApiResult.OutcomeUnknown.class);
            assertThat(transport.requests)
                    .extracting(ApiRequest::path)
                    .doesNotContain("/apis/coordination.k8s.io/v1beta1");
        }

        @Test
        void leavesUnknownWhatTheServerServes() {
            noVersion().noAnswer("connection refused");
            assertThat(discovery.ask().toCompletableFuture().join()).isInstanceOf(ApiResult.OutcomeUnknown.class);

            transport.answer(403, "{'message': 'forbidden'}").answer(200, CANDIDATES);
            assertThat(discovery.ask().toCompletableFuture().join()).isInstanceOf(ApiResult.Refused.class);

            transport.answer(200, "{'resources': 7}").answer(200, CANDIDATES);
            assertThat(discovery.ask().toCompletableFuture().join()).isInstanceOf(ApiResult.OutcomeUnknown.class);
        }
    }
}
