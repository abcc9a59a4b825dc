package io.cle.test.programmatic;

import java.time.Duration;
import java.util.Objects;

import com.google.gson.JsonObject;
import io.cle.ApiFormat;
import io.cle.LockSnapshot;
import io.cle.plain.LeaderElection;
import io.cle.test.apiserver.CustomResourceDefinitions;
import io.cle.test.apiserver.EmbeddedApiServer;
import io.cle.test.apiserver.memory.ApiServerRequest;
import io.kubernetes.client.util.ClientBuilder;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** A candidate in a cluster whose CRD is of a release that had no {@code spec.priority}. Rule: {@code safety.md#write-that-stays}. */
class OlderDefinitionTest {

    private static final String DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

    private static JsonObject olderDefinition() {
        JsonObject definition = CustomResourceDefinitions.all().stream()
                .filter(each -> each.toString().contains("leasecandidates.coordination.cle.io"))
                .findFirst()
                .orElseThrow();
        JsonObject properties = definition
                .getAsJsonObject("spec")
                .getAsJsonArray("versions")
                .get(0)
                .getAsJsonObject()
                .getAsJsonObject("schema")
                .getAsJsonObject("openAPIV3Schema")
                .getAsJsonObject("properties")
                .getAsJsonObject("spec")
                .getAsJsonObject("properties");
        assertThat(properties.remove("priority")).isNotNull();
        return definition;
    }

    @Test
    void showsWhatIsNotStoredByItsName() {
        try (EmbeddedApiServer server =
                EmbeddedApiServer.builder().withoutCustomResourceDefinitions().start()) {
            server.handle(ApiServerRequest.post(DEFINITIONS, olderDefinition()));
            try (LeaderElection election = LeaderElection.builder(
                            new ClientBuilder().setBasePath(server.url()).build())
                    .lease("shop", "orders")
                    .identity("orders-a")
                    .coordinated(
                            ApiFormat.CRD,
                            candidate -> candidate.strategy("HighestPriority").priority(9))
                    .start()) {
                Awaitility.await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
                    LockSnapshot snapshot = election.lock().snapshot();
                    assertThat(snapshot.candidate()).isNotNull();
                    assertThat(Objects.requireNonNull(snapshot.candidate()).priority())
                            .isNull();
                    assertThat(Objects.requireNonNull(snapshot.contacts().candidacy())
                                    .problem())
                            .contains("stored otherwise than it was written, by an older CRD")
                            .contains("spec.priority")
                            .doesNotContain("renewTime", "strategy is", "canLeadLease");
                });
            }
        }
    }
}
