package io.cle.evidence.chaos;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

import com.google.gson.JsonParser;
import io.cle.test.apiserver.HttpApi;
import io.cle.test.apiserver.real.EnabledIfRealApiServer;
import io.cle.test.apiserver.real.RealControlPlane;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

import static org.assertj.core.api.Assertions.assertThat;

/** The faults of the control plane have the intended effects; otherwise a run would prove nothing. */
@EnabledIfRealApiServer
@Timeout(300)
@EnabledIfSystemProperty(
        named = "cle.thorough",
        matches = "true",
        disabledReason = "starts three API servers for a tool of evidence; -Pthorough runs it")
class PartitionTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String LEASES = "/apis/coordination.k8s.io/v1/namespaces/default/leases";

    @Test
    void anIsolatedMemberHasNoMajorityAndTheOthersGoOnAndARestoreBringsBackAnEarlierState() throws IOException {
        try (ControlPlane controlPlane = new ControlPlane()) {
            RealControlPlane processes = controlPlane.processes();
            await(() -> processes.etcdLeader().isPresent());
            int leader = processes.etcdLeader().orElseThrow();
            processes.stopEtcd();
            processes.backUpEtcd();
            processes.startEtcd();
            createsEventually(processes.api(0), "since-the-backup");

            controlPlane.isolate(leader, true);
            await(() -> !processes.etcdAnswers(leader));
            await(() -> processes.etcdAnswers((leader + 1) % RealControlPlane.MEMBERS));
            createsEventually(processes.api(leader == 0 ? 1 : 0), "during-the-partition");
            assertThat(processes.etcdAnswers(leader)).isFalse();
            controlPlane.isolate(leader, false);
            await(() -> processes.etcdAnswers(leader));
            for (int i = 0; i < RealControlPlane.API_SERVERS; i++) {
                assertThat(processes
                                .api(i)
                                .get(LEASES + "/during-the-partition")
                                .code())
                        .isEqualTo(200);
                processes.stopApiServer(i);
            }

            processes.stopEtcd();
            processes.restoreEtcd();
            controlPlane.heal();
            assertThat(processes.api(1).get(LEASES + "/since-the-backup").code())
                    .isEqualTo(404);
        }
    }

    private static void createsEventually(HttpApi api, String name) {
        await(() -> {
            try {
                int code = api.post(LEASES, JsonParser.parseString("{\"metadata\": {\"name\": \"" + name + "\"}}"))
                        .code();
                return code == 201 || code == 409;
            } catch (UncheckedIOException e) {
                // Its etcd member has no leader yet.
                return false;
            }
        });
    }

    private static void await(BooleanSupplier condition) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("in time").isLessThan(deadline);
            LockSupport.parkNanos(20_000_000);
        }
    }
}
