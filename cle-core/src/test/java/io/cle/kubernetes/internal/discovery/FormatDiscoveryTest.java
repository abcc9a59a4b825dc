package io.cle.kubernetes.internal.discovery;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.cle.ApiFormat;
import io.cle.kubernetes.internal.transport.ApiRequest;
import io.cle.kubernetes.internal.transport.FakeTransport;
import io.cle.kubernetes.internal.transport.ResourceType;
import io.cle.model.internal.ApiResult;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Which formats an API server supports, according to discovery and to how it stores a Lease. */
class FormatDiscoveryTest {

    private static final String CANDIDATES = "{'resources': [{'name': 'leasecandidates'}, {'name': 'other'}]}";
    private static final String NOTHING = "{'message': '404 page not found'}";
    private static final String LEASES_ONLY = "{'resources': [{'name': 'leases'}]}";
    private static final String KEPT = "{'spec': {'strategy': 'OldestEmulationVersion'}}";
    private static final String DROPPED = "{'spec': {}}";

    private final FakeTransport transport = new FakeTransport();
    private final FormatDiscovery discovery = new FormatDiscovery(transport, "shop", Duration.ofSeconds(5));

    /** Scripts the answers to discovery of the three native versions and of the CRD. */
    private FakeTransport v1beta1AndCrd() {
        return transport
                .answer(200, LEASES_ONLY)
                .answer(200, CANDIDATES)
                .answer(404, NOTHING)
                .answer(200, CANDIDATES);
    }

    private FakeTransport noVersion() {
        return transport.answer(200, LEASES_ONLY).answer(404, NOTHING).answer(404, NOTHING);
    }

    private static List<String> versions(ServedFormats served) {
        return served.kinds().stream().map(ResourceType::apiVersion).toList();
    }

    private ApiResult<ServedFormats> asked() {
        return discovery.ask().toCompletableFuture().join();
    }

    private ServedFormats served() {
        ApiResult<ServedFormats> result = asked();
        assertThat(result).isInstanceOf(ApiResult.Ok.class);
        return ((ApiResult.Ok<ServedFormats>) result).value();
    }

    /** Hardened clusters remove {@code system:discovery}, and a Role can't grant paths. */
    @Test
    void withoutTheRightToDiscoveryTheAdviceIsAClusterRoleForThePathOrTheCrdFormat() {
        transport.answer(403, """
                {'kind': 'Status', 'code': 403, 'reason': 'Forbidden', 'details': {},
                 'message': 'forbidden: User \\"system:serviceaccount:shop:orders\\" cannot get path \\"/apis/coordination.k8s.io/v1\\"'}
                """);

        assertThat(asked().describe())
                .contains(
                        "cannot get path",
                        "a ClusterRole with nonResourceURLs",
                        "system:discovery",
                        "cle.api: crd (for the coordinator cle.coordinator.api: crd)")
                .doesNotContain("a Role and a RoleBinding");
    }

    @Nested
    class NativeFormat {

        @Test
        void nativeFormatIsPreferredIfItIsServed() {
            v1beta1AndCrd().answer(201, KEPT);

            ServedFormats served = served();

            assertThat(versions(served)).containsExactly("coordination.k8s.io/v1beta1", "coordination.cle.io/v1alpha1");
            assertThat(served.choose(Optional.empty())).contains(ResourceType.NATIVE_CANDIDATES);
            assertThat(served.choose(Optional.of(ApiFormat.CRD))).contains(ResourceType.CRD_CANDIDATES);
            assertThat(served.reason()).contains("serves coordination.k8s.io/v1beta1");
            assertThat(transport.requests)
                    .extracting(ApiRequest::path)
                    .containsExactly(
                            "/apis/coordination.k8s.io/v1",
                            "/apis/coordination.k8s.io/v1beta1",
                            "/apis/coordination.k8s.io/v1alpha2",
                            "/apis/coordination.cle.io/v1alpha1",
                            "/apis/coordination.k8s.io/v1/namespaces/shop/leases");
        }

        @Test
        void nativeFormatIsPreferredInItsNewestVersion() {
            transport
                    .answer(200, CANDIDATES)
                    .answer(404, NOTHING)
                    .answer(200, CANDIDATES)
                    .answer(404, NOTHING)
                    .answer(201, KEPT);

            ServedFormats served = served();

            assertThat(versions(served)).containsExactly("coordination.k8s.io/v1", "coordination.k8s.io/v1alpha2");
            assertThat(served.reason()).contains("serves coordination.k8s.io/v1 LeaseCandidates");
        }
    }

    @Nested
    class NoNativeFormat {

        @Test
        void noNativeFormatLeavesTheCrdFormatAndTheReasonSaysSo() {
            noVersion().answer(200, CANDIDATES);

            ServedFormats served = served();

            assertThat(served.kinds()).containsExactly(ResourceType.CRD_CANDIDATES);
            assertThat(served.reason()).contains("doesn't serve coordination.k8s.io LeaseCandidates");
        }

        @Test
        void noNativeFormatIsServedByAGroupThatListsNoCandidates() {
            transport
                    .answer(200, LEASES_ONLY)
                    .answer(200, LEASES_ONLY)
                    .answer(404, NOTHING)
                    .answer(200, "{'resources': []}");

            ServedFormats served = served();

            assertThat(served.kinds()).isEmpty();
            assertThat(served.reason()).contains("neither").contains("deploy/helm/files/crds/leasecandidates.yaml");
        }
    }

    @Nested
    class FeatureGate {

        @Test
        void featureGateIsTriedWithoutCreatingALease() {
            v1beta1AndCrd().answer(201, KEPT);

            served();

            ApiRequest trial = transport.requests.get(4);
            assertThat(trial.verb()).isEqualTo(ApiRequest.Verb.CREATE);
            assertThat(trial.query()).isEqualTo(Map.of("dryRun", "All"));
        }

        @Test
        void featureGateLeavesTheCrdFormatIfItIsOffAndTheReasonSaysWhy() {
            v1beta1AndCrd().answer(201, DROPPED);

            ServedFormats served = served();

            assertThat(served.kinds()).containsExactly(ResourceType.CRD_CANDIDATES);
            assertThat(served.reason())
                    .contains("feature gate CoordinatedLeaderElection is off", "coordination.cle.io/v1alpha1");
        }

        @Test
        void featureGateLeavesNoFormatIfItIsOffAndThereIsNoCrdAndTheReasonSaysWhatToDo() {
            transport
                    .answer(200, LEASES_ONLY)
                    .answer(200, CANDIDATES)
                    .answer(404, NOTHING)
                    .answer(404, NOTHING)
                    .answer(201, DROPPED);

            ServedFormats served = served();

            assertThat(served.kinds()).isEmpty();
            assertThat(served.reason())
                    .contains("switch it on, or apply", "deploy/helm/files/crds/leasecandidates.yaml");
        }

        @ParameterizedTest
        @ValueSource(ints = {400, 403, 404, 422})
        void featureGateCountsAsOnIfItMayNotBeTried(int status) {
            v1beta1AndCrd().answer(status, "{'kind': 'Status', 'message': 'not here'}");

            ServedFormats served = served();

            assertThat(served.choose(Optional.empty())).contains(ResourceType.NATIVE_CANDIDATES);
        }

        @Test
        void featureGateIsUnknownIfTheServerHasNoTimeForTheTrial() {
            v1beta1AndCrd().answer(429, "{}");
            assertThat(asked()).isInstanceOf(ApiResult.Refused.class);

            v1beta1AndCrd().answer(500, "{}");
            assertThat(asked()).isInstanceOf(ApiResult.OutcomeUnknown.class);
        }
    }

    @Nested
    class UnclearAnswer {

        @Test
        void unclearAnswerIsThePageOfALoadBalancer() {
            transport.answer(404, "{'message': '<html>404 Not Found</html>'}").answer(200, CANDIDATES);

            assertThat(asked()).isInstanceOf(ApiResult.OutcomeUnknown.class);
        }

        @Test
        void unclearAnswerIsNotTakenForAVersionThatIsNotServed() {
            transport.answer(503, "{}").answer(200, CANDIDATES);

            assertThat(asked()).isInstanceOf(ApiResult.OutcomeUnknown.class);
            assertThat(transport.requests)
                    .extracting(ApiRequest::path)
                    .doesNotContain("/apis/coordination.k8s.io/v1beta1");
        }

        @Test
        void unclearAnswerLeavesUnknownWhatTheServerServes() {
            noVersion().noAnswer("connection refused");
            assertThat(asked()).isInstanceOf(ApiResult.OutcomeUnknown.class);

            transport.answer(403, "{'message': 'forbidden'}").answer(200, CANDIDATES);
            assertThat(asked()).isInstanceOf(ApiResult.Refused.class);

            transport.answer(200, "{'resources': 7}").answer(200, CANDIDATES);
            assertThat(asked()).isInstanceOf(ApiResult.OutcomeUnknown.class);
        }
    }
}
