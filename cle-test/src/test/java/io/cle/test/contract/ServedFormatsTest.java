package io.cle.test.contract;

import java.time.Duration;

import io.cle.ApiFormat;
import io.cle.kubernetes.KubernetesAccess;
import io.cle.kubernetes.internal.discovery.FormatDiscovery;
import io.cle.kubernetes.internal.discovery.ServedFormats;
import io.cle.kubernetes.internal.transport.KubernetesTransport;
import io.cle.kubernetes.internal.transport.OkHttpTransport;
import io.cle.kubernetes.internal.transport.ResourceType;
import io.cle.test.apiserver.EmbeddedApiServer;
import io.cle.test.apiserver.memory.ApiServerRequest;
import io.cle.test.apiserver.memory.NativeApi;
import io.cle.test.apiserver.real.EnabledIfNativeApiServer;
import io.cle.test.apiserver.real.EnabledIfRealApiServer;
import io.cle.test.apiserver.real.RealApiServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Our discovery finds the formats that servers serve, and leaves nothing behind. */
class ServedFormatsTest {

    private static final String LEASES = "/apis/coordination.k8s.io/v1/namespaces/default/leases";

    private static ApiFormat preferred(ServedFormats served) {
        return served.kinds().get(0).format();
    }

    private static ServedFormats discover(KubernetesAccess access) {
        try (KubernetesTransport transport = OkHttpTransport.to(access)) {
            return ApiUnderTest.ok(new FormatDiscovery(transport, "default", Duration.ofSeconds(10)).ask());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "NOT_SERVED, CRD, doesn't serve coordination.k8s.io LeaseCandidates",
        "SERVED_WITHOUT_THE_GATE, CRD, feature gate CoordinatedLeaderElection is off",
        "SERVED, NATIVE, serves coordination.k8s.io/v1beta1"
    })
    void onTheEmbeddedServer(NativeApi offered, ApiFormat format, String reason) {
        try (EmbeddedApiServer server = EmbeddedApiServer.start()) {
            server.serveNative(offered);

            ServedFormats served = discover(KubernetesAccess.at(server.url()));

            assertThat(preferred(served)).isEqualTo(format);
            assertThat(served.reason()).contains(reason);
            assertThat(server.handle(ApiServerRequest.get(LEASES)).toString()).doesNotContain("trial");
        }
    }

    @ParameterizedTest
    @CsvSource({"v1 v1beta1 v1alpha2, v1", "v1beta1 v1alpha2, v1beta1", "v1alpha2, v1alpha2", "v1 v1alpha2, v1"})
    void theNewestVersionThatTheEmbeddedServerServesIsUsed(String served, String used) {
        try (EmbeddedApiServer server = EmbeddedApiServer.start()) {
            server.serveNativeVersions(served.split(" "));

            assertThat(discover(KubernetesAccess.at(server.url())).reason())
                    .contains("serves coordination.k8s.io/" + used + " LeaseCandidates");
        }
    }

    @Test
    @EnabledIfRealApiServer
    void onARealOneThatHasNoNativeFormat() {
        assertThat(discover(KubernetesAccess.of(RealApiServer.shared().kubeconfig()))
                        .kinds())
                .containsExactly(ResourceType.CRD_CANDIDATES);
    }

    @Test
    @EnabledIfNativeApiServer
    void onARealOneThatHas() {
        RealApiServer server = RealApiServer.sharedNative();

        ServedFormats served = discover(KubernetesAccess.of(server.kubeconfig()));

        assertThat(served.kinds()).contains(ResourceType.NATIVE_CANDIDATES, ResourceType.CRD_CANDIDATES);
        assertThat(preferred(served)).isEqualTo(ApiFormat.NATIVE);
        assertThat(server.api().get(LEASES).toString()).doesNotContain("trial");
    }
}
