package io.cle.test.direct;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import io.cle.ResourceLock;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static io.cle.test.direct.Timing.LONG;
import static io.cle.test.direct.Timing.PATIENCE;
import static io.cle.test.direct.Timing.within;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Replicas move from a legacy record to a Lease as deploy/legacy-lock/README.md describes: an administrator holds the Lease until the last old
 * replica has ended. At no instant do two lead.
 */
@Execution(ExecutionMode.CONCURRENT)
abstract class LockRolloutContract {

    private static final int REPLICAS = 3;

    abstract Server server();

    @ParameterizedTest
    @EnumSource(
            value = ResourceLock.class,
            names = {"ENDPOINTS", "CONFIGMAPS"})
    void aLeaseThatIsHeldDuringTheRolloutKeepsOldAndNewReplicasApart(ResourceLock old) {
        try (Stage stage = new Stage(server(), LONG)) {
            List<OurElector> before = start(stage, old);
            within(PATIENCE).until(() -> stage.leaders().size() == 1);
            stage.holdLease("moving", Duration.ofDays(1), Instant.now());

            List<OurElector> after = start(stage, ResourceLock.LEASES);
            within(PATIENCE).until(() -> after.stream().allMatch(replica -> replica.follows("moving")));
            for (OurElector replica : before) {
                assertThat(after).noneMatch(OurElector::leads);
                replica.close();
            }
            assertThat(stage.leaders()).as("after the last old replica").isEmpty();

            stage.holdLease("", Duration.ofSeconds(1), Instant.now());
            within(PATIENCE).until(() -> stage.leaders().size() == 1);
            stage.assertNoOverlap();
        }
    }

    private static List<OurElector> start(Stage stage, ResourceLock kind) {
        List<OurElector> replicas = new ArrayList<>();
        for (int i = 0; i < REPLICAS; i++) {
            replicas.add(stage.ours(kind, kind + "-" + i));
        }
        return replicas;
    }
}
