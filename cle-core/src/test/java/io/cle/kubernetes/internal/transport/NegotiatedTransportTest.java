package io.cle.kubernetes.internal.transport;

import java.time.Duration;
import java.util.Map;

import com.google.gson.JsonObject;
import io.cle.kubernetes.internal.transport.ApiRequest.Verb;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/** In which version requests for native candidates leave the process. */
class NegotiatedTransportTest {

    private static final ResourceType V1ALPHA2 = NegotiatedTransport.VERSIONS.get(2);

    private final FakeTransport server = new FakeTransport();
    private final NegotiatedTransport transport = new NegotiatedTransport(server);

    private static ApiRequest creation(ResourceType resource) {
        JsonObject body =
                FakeTransport.json("{'apiVersion': '" + resource.apiVersion() + "', 'spec': {'leaseName': 'orders'}}");
        return new ApiRequest(
                Verb.CREATE, resource, "shop", null, Map.of("dryRun", "All"), body, Duration.ofSeconds(5));
    }

    @Test
    void theyLeaveAsTheyAreUntilAnotherVersionIsToBeUsed() {
        ApiRequest request = creation(ResourceType.NATIVE_CANDIDATES);

        transport.send(request);

        assertThat(server.lastRequest()).isSameAs(request);
    }

    @Test
    void theVersionInUseIsInThePathAndInTheObject() {
        transport.use(V1ALPHA2);

        transport.send(creation(ResourceType.NATIVE_CANDIDATES));

        assertThat(server.lastRequest()).isEqualTo(creation(V1ALPHA2));
        assertThat(server.lastRequest().path())
                .isEqualTo("/apis/coordination.k8s.io/v1alpha2/namespaces/shop/leasecandidates");
    }

    @Test
    void listsAndWatchesUseItToo() {
        transport.use(V1ALPHA2);
        ApiRequest list = new ApiRequest(
                Verb.LIST, ResourceType.NATIVE_CANDIDATES, null, null, Map.of(), null, Duration.ofSeconds(5));

        transport.list(list, item -> {});
        transport.watch(list, new WatchRecorder());

        assertThat(server.lastRequest().resource()).isEqualTo(V1ALPHA2);
        assertThat(server.lastWatch().request.resource()).isEqualTo(V1ALPHA2);
    }

    @Test
    void otherKindsKeepTheirVersion() {
        transport.use(V1ALPHA2);
        ApiRequest request = creation(ResourceType.LEASES);

        transport.send(request);

        assertThat(server.lastRequest()).isSameAs(request);
    }

    @Test
    void aVersionWithOtherFieldsIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> transport.use(ResourceType.NATIVE_CANDIDATES.inVersion("v1alpha1")))
                .withMessageContaining("v1alpha1");
    }
}
