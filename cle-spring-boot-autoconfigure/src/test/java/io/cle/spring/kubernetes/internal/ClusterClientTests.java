package io.cle.spring.kubernetes.internal;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

import com.google.gson.JsonParser;
import io.cle.kubernetes.KubernetesAccess;
import io.cle.kubernetes.internal.access.AccessReport;
import io.cle.kubernetes.internal.transport.KubernetesTransport;
import io.cle.kubernetes.internal.transport.OkHttpTransport;
import io.cle.lock.internal.LockThreads;
import io.cle.model.ObjectKey;
import io.cle.spring.properties.internal.LeaseSettings;
import io.cle.spring.properties.internal.SettingsFixture;
import io.cle.test.apiserver.EmbeddedApiServer;
import io.cle.test.apiserver.memory.ApiServerRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class ClusterClientTests {

    private final EmbeddedApiServer server = EmbeddedApiServer.start();
    private final KubernetesTransport transport = OkHttpTransport.to(KubernetesAccess.at(server.url()));
    private final LockThreads threads = LockThreads.create("test");
    private final ClusterClient cluster =
            new ClusterClient(transport, threads.loop(), new SplittableRandom(1), "orders");

    @AfterEach
    void stop() {
        threads.close();
        transport.close();
        server.close();
    }

    private static LeaseSettings lease(String resourceLock) {
        return SettingsFixture.settings(Map.of("cle.resource-lock", resourceLock))
                .get(0);
    }

    private AccessReport check(String resourceLock) throws Exception {
        return cluster.checkRights(lease(resourceLock), true)
                .toCompletableFuture()
                .get(30, TimeUnit.SECONDS);
    }

    @ParameterizedTest
    @CsvSource({"watch, leases", "list, leases", "patch, leases", "create, leasecandidates"})
    void aRightToLeadShardsThatIsMissingIsNamedWithoutALease(String verb, String resource) throws Exception {
        LeaseSettings shard =
                SettingsFixture.settings(Map.of("cle.leases.items.shards", "2")).get(1);
        server.deny(verb, resource, "shop");

        assertThat(problem(
                        cluster.checkRights(shard, true).toCompletableFuture().get(30, TimeUnit.SECONDS)))
                .containsPattern(verb + " " + resource + "\\.coordination\\S+ in namespace 'shop'");
    }

    private static String problem(AccessReport report) {
        assertThat(report.unchecked()).isEmpty();
        return report.problem().orElse("none");
    }

    @Test
    void aRightOfACandidateThatIsMissingIsNamedByVerbResourceAndNamespace() throws Exception {
        server.deny("create", "leasecandidates", "shop");
        assertThat(problem(check("coordinatedleases")))
                .contains("create leasecandidates.coordination.cle.io in namespace 'shop'", "rules:");
    }

    @Test
    void aRightOfARacerThatIsMissingIsNamedByVerbResourceAndNamespace() throws Exception {
        server.deny("patch", "leases", "shop");
        assertThat(problem(check("leases"))).contains("patch leases.coordination.k8s.io 'orders' in namespace 'shop'");
        assertThat(problem(check("configmaps"))).isEqualTo("none");
    }

    @Test
    void theRightToHandOverToANamedCandidateIsAskedFor() throws Exception {
        server.deny("get", "leasecandidates", "shop");
        assertThat(problem(check("coordinatedleases")))
                .contains("get leasecandidates.coordination.cle.io in namespace 'shop'");
    }

    @Test
    void theRightToWriteEventsOfADirectLockIsAskedFor() throws Exception {
        server.deny("create", "events", "shop");
        assertThat(problem(check("leases"))).contains("create events in namespace 'shop'");
        assertThat(problem(check("coordinatedleases"))).isEqualTo("none");
    }

    @Test
    void anApiServerThatIsAwayLeavesTheRightsUnknown() throws Exception {
        server.stop();
        AccessReport report = check("coordinatedleases");

        assertThat(report.problem()).isEmpty();
        assertThat(report.unchecked().orElseThrow())
                .startsWith("the rights could not be checked: ")
                .containsOnlyOnce("outcome unknown");
    }

    @Test
    void theGracePeriodOfAPodIsReadWhereThatIsAllowed() throws Exception {
        server.handle(ApiServerRequest.post("/api/v1/namespaces/shop/pods", JsonParser.parseString("""
                {"metadata": {"name": "orders-7f9c"},
                 "spec": {"terminationGracePeriodSeconds": 45, "containers": [{"name": "orders", "image": "orders"}]}}
                """)));
        assertThat(gracePeriod()).contains(Duration.ofSeconds(45));

        server.deny("get", "pods", "shop");
        long before = server.requests().of("get", "pods");
        assertThat(gracePeriod()).isEmpty();
        assertThat(server.requests().of("get", "pods")).as("no refused request").isEqualTo(before);
    }

    private Optional<Duration> gracePeriod() throws Exception {
        return cluster.gracePeriod(new ObjectKey("shop", "orders-7f9c"))
                .toCompletableFuture()
                .get(30, TimeUnit.SECONDS);
    }
}
