package io.cle.spring.kubernetes.internal;

import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

import io.cle.kubernetes.KubernetesAccess;
import io.cle.kubernetes.internal.transport.KubernetesTransport;
import io.cle.kubernetes.internal.transport.OkHttpTransport;
import io.cle.lock.internal.LockThreads;
import io.cle.spring.FakeLock;
import io.cle.spring.lock.internal.Lease;
import io.cle.spring.lock.internal.Leases;
import io.cle.spring.properties.internal.LeaseSettings;
import io.cle.spring.properties.internal.SettingsFixture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.mock.env.MockEnvironment;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(OutputCaptureExtension.class)
class PodCheckTests {

    private final MockEnvironment pod = new MockEnvironment()
            .withProperty("KUBERNETES_SERVICE_HOST", "10.0.0.1")
            .withProperty("POD_NAMESPACE", "shop");
    private final KubernetesTransport transport = OkHttpTransport.to(KubernetesAccess.at("http://127.0.0.1:1"));
    private final LockThreads threads = LockThreads.create("test");
    private final ClusterClient cluster =
            new ClusterClient(transport, threads.loop(), new SplittableRandom(1), "orders");

    @AfterEach
    void stop() {
        threads.close();
        transport.close();
    }

    private void join(ClusterClient joined, String resourceLock) {
        LeaseSettings settings = SettingsFixture.settings(Map.of("cle.resource-lock", resourceLock))
                .get(0);
        FakeLock lock = new FakeLock("orders");
        Leases leases = new Leases(List.of(Lease.configured("orders", lock, settings)));
        PodCheck check = PodCheck.of(joined, leases, pod);
        check.customize("orders", lock);
        check.customize("orders", lock);
    }

    @Test
    void aPodWithoutItsIdentityIsReportedOnceWithTheVariablesAndTheConsequences(CapturedOutput output) {
        join(cluster, "coordinatedleases");

        assertThat(output)
                .containsOnlyOnce("POD_NAME, POD_UID are not set")
                .contains("a crash of the leader costs a whole lease duration")
                .contains("fieldRef metadata.name");
    }

    @Test
    void aPodWithItsIdentityIsNotReported(CapturedOutput output) {
        pod.withProperty("POD_NAME", "orders-7f9c").withProperty("POD_UID", "uid-1");

        join(cluster, "coordinatedleases");

        assertThat(output).doesNotContain("not set");
    }

    @Test
    void theIdentityIsNotMissedOutsideOfAPod(CapturedOutput output) {
        pod.setProperty("KUBERNETES_SERVICE_HOST", "");

        join(cluster, "coordinatedleases");

        assertThat(output).doesNotContain("not set");
    }

    @Test
    void theIdentityIsNotMissedByAProcessThatJoinsNoCluster(CapturedOutput output) {
        join(null, "coordinatedleases");

        assertThat(output).doesNotContain("not set");
    }

    @Test
    void theIdentityIsNotMissedByADirectLockWhichHasNoCandidate(CapturedOutput output) {
        join(cluster, "leases");

        assertThat(output).doesNotContain("not set");
    }
}
