package io.cle.test.direct;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

import io.cle.kubernetes.DirectLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import static io.cle.test.direct.Timing.AT_ONCE;
import static io.cle.test.direct.Timing.PATIENCE;
import static io.cle.test.direct.Timing.within;

/**
 * A set of replicas moves from one kind of lock to another by way of client-go's multi-lock, and back: at no instant do two lead,
 * and whoever leaves in good order is followed at once.
 */
@Execution(ExecutionMode.CONCURRENT)
abstract class LockRolloutContract {

    private static final int REPLICAS = 3;

    /** The API server. */
    abstract Server server();

    @Test
    void fromEndpointsToLeasesAndBack() {
        rollThereAndBack(DirectLock.ENDPOINTS, DirectLock.ENDPOINTSLEASES, DirectLock.LEASES);
    }

    @Test
    void fromConfigMapsToLeasesAndBack() {
        rollThereAndBack(DirectLock.CONFIGMAPS, DirectLock.CONFIGMAPSLEASES, DirectLock.LEASES);
    }

    @Test
    void replicasOfTheMiddleReleaseFollowEachOtherAtOnce() {
        for (DirectLock both : List.of(DirectLock.ENDPOINTSLEASES, DirectLock.CONFIGMAPSLEASES)) {
            try (Stage stage = new Stage(server())) {
                OurElector first = stage.ours(both, "first");
                within(PATIENCE).until(first::leads);
                OurElector second = stage.ours(both, "second");
                within(PATIENCE).until(() -> second.follows("first"));

                first.close();
                within(AT_ONCE).until(second::leads);
                stage.assertNobodyOverlapped();
            }
        }
    }

    @Test
    void aReplicaThatCrashesOnTheWayIsFollowedByOneOfAnyRelease() {
        for (DirectLock neighbour : List.of(DirectLock.ENDPOINTS, DirectLock.LEASES)) {
            try (Stage stage = new Stage(server())) {
                OurElector both = stage.ours(DirectLock.ENDPOINTSLEASES, "both");
                within(PATIENCE).until(both::leads);
                OurElector other = stage.ours(neighbour, "other");

                both.cut();
                within(PATIENCE).until(other::leads);
                OurElector bothAgain = stage.ours(DirectLock.ENDPOINTSLEASES, "both-again");

                other.cut();
                within(PATIENCE).until(bothAgain::leads);
                stage.assertNobodyOverlapped();
            }
        }
    }

    private void rollThereAndBack(DirectLock from, DirectLock both, DirectLock to) {
        try (Stage stage = new Stage(server())) {
            Fleet fleet = new Fleet(stage);
            fleet.begin(from);
            for (DirectLock release : List.of(both, to, both, from)) {
                fleet.roll(release);
                DirectLock record = release == both ? to : release;
                within(AT_ONCE)
                        .alias("the record of " + record + " names the leader after the release of " + release)
                        .until(() -> List.of(stage.read(record).holder()).equals(stage.leaders()));
            }
            stage.assertNobodyOverlapped();
        }
    }

    /** Replicas of one release, and for a while of two. */
    private static final class Fleet {

        private final Stage stage;
        private List<OurElector> replicas = new ArrayList<>();
        private int started;

        private Fleet(Stage stage) {
            this.stage = stage;
        }

        private void begin(DirectLock kind) {
            for (int i = 0; i < REPLICAS; i++) {
                replicas.add(start(kind));
            }
            within(PATIENCE).until(() -> stage.leaders().size() == 1);
        }

        private OurElector start(DirectLock kind) {
            return stage.ours(kind, kind + "-" + started++);
        }

        /** One new replica, one old one less, and the leader first: so that the old release may lead again, too. */
        private void roll(DirectLock kind) {
            List<OurElector> fresh = new ArrayList<>();
            for (int i = 0; i < REPLICAS; i++) {
                fresh.add(start(kind));
                OurElector leaving = replicas.stream()
                        .max(Comparator.comparing(OurElector::leads))
                        .orElseThrow();
                replicas.remove(leaving);
                boolean led = leaving.leads();
                leaving.close();
                if (led) {
                    within(AT_ONCE)
                            .alias("a successor when number " + i + " is rolled out to " + kind)
                            .until(() -> stage.leaders().size() == 1);
                }
            }
            replicas = fresh;
        }
    }
}
