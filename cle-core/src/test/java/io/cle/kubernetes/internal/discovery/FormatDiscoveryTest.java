package io.cle.kubernetes.internal.discovery;

import java.time.Duration;
import java.util.Map;
import java.util.Set;

import io.cle.api.ApiFormat;
import io.cle.kubernetes.internal.transport.ApiRequest;
import io.cle.kubernetes.internal.transport.FakeTransport;
import io.cle.model.ApiResult;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Which formats an API server can be used with, by what it lists and by what it does with a Lease. */
class FormatDiscoveryTest {

    private static final String CANDIDATES = "{'resources': [{'name': 'leasecandidates'}, {'name': 'other'}]}";
    private static final String NOTHING = "{'message': '404 page not found'}";
    private static final String KEPT = "{'spec': {'strategy': 'OldestEmulationVersion'}}";
    private static final String DROPPED = "{'spec': {}}";

    private final FakeTransport transport = new FakeTransport();
    private final FormatDiscovery discovery = new FormatDiscovery(transport, "shop", Duration.ofSeconds(5));

    private ServedFormats served() {
        ApiResult<ServedFormats> result = discovery.ask().toCompletableFuture().join();
        assertThat(result).isInstanceOf(ApiResult.Ok.class);
        return ((ApiResult.Ok<ServedFormats>) result).value();
    }

    @Test
    void aPageOfALoadBalancerDoesNotSayWhatTheServerServes() {
        transport.answer(404, "{'message': '<html>404 Not Found</html>'}").answer(200, CANDIDATES);

        assertThat(discovery.ask().toCompletableFuture().join()).isInstanceOf(ApiResult.OutcomeUnknown.class);
    }

    @Test
    void theNativeFormatIsPreferredWhereItIsServed() {
        transport.answer(200, CANDIDATES).answer(201, KEPT).answer(200, CANDIDATES);

        ServedFormats served = served();

        assertThat(served.formats()).isEqualTo(Set.of(ApiFormat.NATIVE, ApiFormat.CRD));
        assertThat(served.preferred()).contains(ApiFormat.NATIVE);
        assertThat(served.reason()).contains("serves coordination.k8s.io/v1beta1");
        assertThat(transport.requests)
                .extracting(ApiRequest::path)
                .containsExactly(
                        "/apis/coordination.k8s.io/v1beta1",
                        "/apis/coordination.k8s.io/v1/namespaces/shop/leases",
                        "/apis/coordination.cle.io/v1alpha1");
    }

    @Test
    void theCrdFormatIsTakenWhereTheNativeOneIsNotServedAndTheReasonSaysSo() {
        transport.answer(404, NOTHING).answer(200, CANDIDATES);

        ServedFormats served = served();

        assertThat(served.preferred()).contains(ApiFormat.CRD);
        assertThat(served.reason()).contains("doesn't serve coordination.k8s.io/v1beta1");
    }

    @Test
    void aGroupThatListsNoCandidatesDoesNotServeThem() {
        transport.answer(200, "{'resources': [{'name': 'leases'}]}").answer(200, "{'resources': []}");

        ServedFormats served = served();

        assertThat(served.preferred()).isEmpty();
        assertThat(served.reason()).contains("neither").contains("deploy/crds/leasecandidates.yaml");
    }

    @Test
    void aServerThatDoesNotAnswerServesNobodyKnowsWhat() {
        transport.answer(404, NOTHING).noAnswer("connection refused");
        assertThat(discovery.ask().toCompletableFuture().join()).isInstanceOf(ApiResult.OutcomeUnknown.class);

        transport.answer(403, "{'message': 'forbidden'}").answer(200, CANDIDATES);
        assertThat(discovery.ask().toCompletableFuture().join()).isInstanceOf(ApiResult.Refused.class);

        transport.answer(200, "{'resources': 7}").answer(200, CANDIDATES);
        assertThat(discovery.ask().toCompletableFuture().join()).isInstanceOf(ApiResult.OutcomeUnknown.class);
    }

    @Test
    void whatBecomesOfALeaseIsTriedWithoutCreatingOne() {
        transport.answer(200, CANDIDATES).answer(201, KEPT).answer(200, CANDIDATES);

        served();

        ApiRequest trial = transport.requests.get(1);
        assertThat(trial.verb()).isEqualTo(ApiRequest.Verb.CREATE);
        assertThat(trial.query()).isEqualTo(Map.of("dryRun", "All"));
    }

    @Test
    void withTheFeatureGateOffTheNativeFormatIsNotUsedAndTheReasonSaysWhy() {
        transport.answer(200, CANDIDATES).answer(201, DROPPED).answer(200, CANDIDATES);

        ServedFormats served = served();

        assertThat(served.preferred()).contains(ApiFormat.CRD);
        assertThat(served.formats()).doesNotContain(ApiFormat.NATIVE);
        assertThat(served.reason())
                .contains("feature gate CoordinatedLeaderElection is off", "coordination.cle.io/v1alpha1");
    }

    @Test
    void withTheFeatureGateOffAndNoCrdTheReasonSaysWhatToDo() {
        transport.answer(200, CANDIDATES).answer(201, DROPPED).answer(404, NOTHING);

        ServedFormats served = served();

        assertThat(served.preferred()).isEmpty();
        assertThat(served.reason()).contains("switch it on, or apply", "deploy/crds/leasecandidates.yaml");
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 403, 404, 422})
    void whereItMayNotBeTriedTheServerIsTakenAtItsWordAndTheDoubtIsTold(int status) {
        transport
                .answer(200, CANDIDATES)
                .answer(status, "{'kind': 'Status', 'message': 'not here'}")
                .answer(200, CANDIDATES);

        ServedFormats served = served();

        assertThat(served.preferred()).contains(ApiFormat.NATIVE);
        assertThat(served.reason()).contains("could not be tried", "not here", "the crd format has to be set");
    }

    @Test
    void aServerThatHasNoTimeForTheTrialIsAskedAgain() {
        transport.answer(200, CANDIDATES).answer(429, "{}").answer(200, CANDIDATES);
        assertThat(discovery.ask().toCompletableFuture().join()).isInstanceOf(ApiResult.Refused.class);

        transport.answer(200, CANDIDATES).answer(500, "{}").answer(200, CANDIDATES);
        assertThat(discovery.ask().toCompletableFuture().join()).isInstanceOf(ApiResult.OutcomeUnknown.class);
    }
}
