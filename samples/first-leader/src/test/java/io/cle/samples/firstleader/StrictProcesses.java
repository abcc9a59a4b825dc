package io.cle.samples.firstleader;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

import io.cle.ApiFormat;
import io.cle.Resignation;
import io.cle.Timings;
import io.cle.kubernetes.KubernetesAccess;
import io.cle.model.ObjectKey;
import io.cle.model.PodRef;
import io.cle.model.Version;
import io.cle.plain.LeaderElection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Two candidates of the lease {@code shop/orders}, in the pods {@code a} and {@code b} of a strict namespace, and all
 * their operations on it.
 *
 * @param strategy the strategy that the candidates request
 * @param clusterOf returns a pod's access to the API server
 * @param uidOf returns the uid of a pod
 */
record StrictProcesses(
        ApiFormat format,
        String strategy,
        Function<String, KubernetesAccess> clusterOf,
        Function<String, String> uidOf) {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private LeaderElection candidate(String pod, String version) {
        return LeaderElection.builder(clusterOf.apply(pod))
                .lease(Review.NAMESPACE, "orders")
                .identity(pod + "-x2k9z")
                .timings(new Timings(Duration.ofSeconds(12), Duration.ofSeconds(8), Duration.ofMillis(500)))
                .fallback(true, Duration.ofSeconds(1))
                .coordinated(
                        format,
                        candidate -> candidate
                                .binaryVersion(Version.parse(version))
                                .compatibilityVersion(Version.parse(version))
                                .strategy(strategy)
                                .pod(new PodRef(new ObjectKey(Review.NAMESPACE, pod), uidOf.apply(pod), "app")))
                .start();
    }

    /** Without a coordinator: create, renew, hand over to a named successor, release, acquire. */
    void raceAndResign() throws Exception {
        try (LeaderElection a = candidate("a", "1.0.0")) {
            leadsAndRenews(a);
            try (LeaderElection b = candidate("b", "1.0.0")) {
                handOver(a, "orders-b-x2k9z");
                leadsAndRenews(b);
                assertThat(b.resign().toCompletableFuture().get(60, TimeUnit.SECONDS))
                        .isEqualTo(Resignation.RELEASED);
                leadsAndRenews(a);
            }
        }
    }

    /** With a coordinator: begin a granted term, renew, hand over to the preferred holder and to a named successor, release. */
    void areElectedAndYield() throws Exception {
        try (LeaderElection a = candidate("a", "1.1.0")) {
            leadsAndRenews(a);
            try (LeaderElection b = candidate("b", "1.0.0")) {
                leadsAndRenews(b);
                handOver(b, "orders-a-x2k9z");
                leadsAndRenews(a);
            }
            leadsAndRenews(a);
        }
    }

    private static void handOver(LeaderElection leader, String successor) {
        // The successor's candidate may not exist yet.
        await().atMost(PATIENCE)
                .until(() -> leader.resign(successor).toCompletableFuture().get(60, TimeUnit.SECONDS)
                        == Resignation.RELEASED);
    }

    private static void leadsAndRenews(LeaderElection candidate) throws InterruptedException {
        assertThat(candidate.awaitLeadership(PATIENCE)).isTrue();
        Instant begun = candidate.lock().snapshot().observed().renewTime();
        await().atMost(PATIENCE)
                .until(() -> candidate.lock().snapshot().observed().renewTime().isAfter(begun));
    }
}
