package io.cle.kubernetes.internal.client;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.cle.model.Candidate;
import io.cle.model.ObjectKey;
import io.cle.model.Version;
import io.cle.strategy.BuiltInStrategy;
import io.cle.strategy.internal.Ranking;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static java.util.Comparator.comparing;
import static java.util.Comparator.reverseOrder;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/**
 * How often leadership moves while a Deployment is rolled out or scaled down, given the order in which
 * kube-controller-manager 1.36 deletes the pods of a ReplicaSet, and the strategy OldestCompatibilityVersion.
 * docs/roll-outs.md has the figures.
 */
class RollOutTest {

    private static final ObjectKey LEASE = new ObjectKey("shop", "orders");
    private static final String OLD = "1.0.0";
    private static final String NEW = "1.1.0";
    private static final int RUNS = 200;

    /** A pod's criteria for the order of deletion; by default it runs and is ready. */
    private static final class Pod {
        private boolean assigned = true;
        private int phase = 2;
        private boolean ready = true;
        private int cost;
        private int readyPodsOnItsNode = 1;
        private long readyForSeconds = 1000;
        private int restarts;
        private long ageInSeconds = 1000;
        private String uid = "7";
        private String version = OLD;

        static Pod with(Consumer<Pod> facts) {
            Pod pod = new Pod();
            facts.accept(pod);
            return pod;
        }

        Candidate candidate() {
            Version compatible = Version.parse(version);
            return Candidate.builder(new ObjectKey("shop", "orders-" + uid), LEASE)
                    .binaryVersion(compatible)
                    .compatibilityVersion(compatible)
                    .creationTime(Instant.parse("2026-01-01T00:00:00Z").minusSeconds(ageInSeconds))
                    .build();
        }
    }

    /** Orders pods like Kubernetes' ActivePodsWithRanks. Two times differ if their logarithms do. */
    private static final Comparator<Pod> FIRST_DELETED = comparing((Pod pod) -> pod.assigned)
            .thenComparing(pod -> pod.phase)
            .thenComparing(pod -> pod.ready)
            .thenComparing(pod -> pod.cost)
            .thenComparing(pod -> pod.readyPodsOnItsNode, reverseOrder())
            .thenComparing(pod -> pod.ready ? logarithm(pod.readyForSeconds) : 0)
            .thenComparing(pod -> pod.restarts, reverseOrder())
            .thenComparing(pod -> logarithm(pod.ageInSeconds))
            .thenComparing(pod -> pod.uid);

    private static int logarithm(long seconds) {
        return 63 - Long.numberOfLeadingZeros(Math.max(1, seconds));
    }

    /** In each row the first pod is deleted first, although all later criteria favor deleting the second. */
    @TestFactory
    Stream<DynamicTest> orderOfDeletion() {
        return Stream.of(
                row("unassigned", pod -> pod.assigned = false, pod -> pod.phase = 0),
                row("pending", pod -> pod.phase = 0, pod -> pod.ready = false),
                row(
                        "not ready, at any cost",
                        pod -> {
                            pod.ready = false;
                            pod.cost = 9;
                        },
                        pod -> pod.cost = -9),
                row("of a lower cost, however alone and old", pod -> pod.ageInSeconds = 9000, pod -> {
                    pod.cost = 1;
                    pod.readyPodsOnItsNode = 3;
                    pod.readyForSeconds = 1;
                    pod.restarts = 5;
                    pod.ageInSeconds = 1;
                }),
                row("besides others", pod -> pod.readyPodsOnItsNode = 2, pod -> pod.readyForSeconds = 1),
                row("ready for less long", pod -> pod.readyForSeconds = 100, pod -> pod.restarts = 1),
                row("restarted", pod -> pod.restarts = 1, pod -> pod.ageInSeconds = 1),
                row("younger", pod -> pod.ageInSeconds = 100, pod -> pod.uid = "1"),
                row("of about the same age, by uid", pod -> pod.ageInSeconds = 1001, pod -> pod.uid = "8"));
    }

    private static DynamicTest row(String name, Consumer<Pod> first, Consumer<Pod> second) {
        return DynamicTest.dynamicTest(
                name,
                () -> assertThat(FIRST_DELETED.compare(Pod.with(first), Pod.with(second)))
                        .isNegative());
    }

    @ParameterizedTest
    @CsvSource({"3, 1, 0", "5, 1, 0", "10, 1, 0", "5, 2, 1", "10, 3, 2"})
    void rollOut_movesMarkedLeaderExactlyOnce(int replicas, int maxSurge, int maxUnavailable) {
        assertThat(handOvers(true, replicas, deployment -> deployment.rollOut(maxSurge, maxUnavailable)))
                .containsOnly(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 5, 10})
    void scaleDown_movesNoMarkedLeader(int replicas) {
        assertThat(handOvers(true, replicas, Deployment::scaleDown)).containsOnly(0);
    }

    @ParameterizedTest
    @CsvSource({"3, 1, 0, 1.8", "5, 1, 0, 2.1", "10, 1, 0, 2.5", "5, 2, 1, 1.6", "10, 3, 2, 1.4"})
    void rollOut_movesUnmarkedLeaderOftener(int replicas, int maxSurge, int maxUnavailable, double mean) {
        assertThat(mean(handOvers(false, replicas, deployment -> deployment.rollOut(maxSurge, maxUnavailable))))
                .isCloseTo(mean, within(0.05));
    }

    @ParameterizedTest
    @CsvSource({"3, 0.5", "5, 0.4", "10, 0.5"})
    void scaleDown_movesUnmarkedLeaderInEverySecondRun(int replicas, double mean) {
        assertThat(mean(handOvers(false, replicas, Deployment::scaleDown))).isCloseTo(mean, within(0.05));
    }

    private static List<Integer> handOvers(boolean marked, int replicas, Consumer<Deployment> change) {
        return IntStream.range(0, RUNS)
                .mapToObj(seed -> {
                    Deployment deployment = new Deployment(new Random(seed), replicas, marked);
                    change.accept(deployment);
                    return deployment.handOvers;
                })
                .toList();
    }

    private static double mean(List<Integer> values) {
        return values.stream().mapToInt(Integer::intValue).average().orElseThrow();
    }

    /** A Deployment with one leader, which is ready. Every other pod is unready with a probability of a tenth. */
    private static final class Deployment {
        private final Random random;
        private final int replicas;
        private final boolean marked;
        private final List<Pod> pods = new ArrayList<>();
        private Pod leader;
        private int handOvers;

        Deployment(Random random, int replicas, boolean marked) {
            this.random = random;
            this.replicas = replicas;
            this.marked = marked;
            for (int i = 0; i < replicas; i++) {
                create(OLD, 1 + random.nextInt(1_000_000), random.nextInt(10) > 0);
            }
            lead(pods.get(random.nextInt(replicas)));
            leader.ready = true;
        }

        private void create(String version, long age, boolean ready) {
            pods.add(Pod.with(pod -> {
                pod.version = version;
                pod.ready = ready;
                pod.readyPodsOnItsNode = 1 + random.nextInt(3);
                pod.readyForSeconds = age;
                pod.ageInSeconds = age + 10;
                pod.restarts = random.nextInt(10) / 8;
                pod.uid = Long.toHexString(random.nextLong());
            }));
        }

        private void lead(Pod next) {
            leader = next;
            if (marked) {
                PodMarks marks = new PodMarks(Map.of(), Map.of()).whileHolding(List.of(LEASE));
                next.cost = Integer.parseInt(marks.annotations().get(PodMarks.COST));
            }
        }

        private int count(Predicate<Pod> which) {
            return (int) pods.stream().filter(which).count();
        }

        /** Deletes old pods. If the leader is one of them, the best ready candidate leads. */
        private void deleteOld(int count) {
            List<Pod> deleted = pods.stream()
                    .filter(pod -> pod.version.equals(OLD))
                    .sorted(FIRST_DELETED)
                    .limit(Math.max(0, count))
                    .toList();
            pods.removeAll(deleted);
            if (deleted.contains(leader)) {
                handOvers++;
                lead(pods.stream()
                        .filter(pod -> pod.ready)
                        .min(comparing(Pod::candidate, Ranking.by(BuiltInStrategy.OLDEST_COMPATIBILITY_VERSION)))
                        .orElseThrow());
            }
        }

        void scaleDown() {
            deleteOld(1 + random.nextInt(replicas - 1));
        }

        /** Rolls out like the Deployment controller: deletes unhealthy old pods first, then as many as exceed the available minimum. */
        void rollOut(int maxSurge, int maxUnavailable) {
            int minAvailable = replicas - maxUnavailable;
            while (count(pod -> pod.version.equals(OLD)) > 0) {
                int missing = replicas - count(pod -> pod.version.equals(NEW));
                for (int i = Math.min(missing, replicas + maxSurge - pods.size()); i > 0; i--) {
                    create(NEW, 1 + random.nextInt(20), false);
                }
                scaleDownOld(minAvailable);
                pods.stream().filter(pod -> pod.version.equals(NEW)).forEach(pod -> pod.ready = true);
                scaleDownOld(minAvailable);
            }
        }

        private void scaleDownOld(int minAvailable) {
            int notReadyNew = count(pod -> !pod.ready && pod.version.equals(NEW));
            int notReadyOld = count(pod -> !pod.ready && pod.version.equals(OLD));
            deleteOld(Math.min(notReadyOld, pods.size() - minAvailable - notReadyNew));
            deleteOld(count(pod -> pod.ready) - minAvailable);
        }
    }
}
