package io.cle.spring.kubernetes.internal;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import io.cle.CoordinatedLeaseLock;
import io.cle.model.ObjectKey;
import io.cle.spring.lock.LeaseLockCustomizer;
import io.cle.spring.lock.internal.ConfiguredLeases;
import io.cle.spring.properties.internal.LeaseSettings;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.env.Environment;

/**
 * Warns, when the first lease is joined, if the manifest of its pod lacks the pod's identity, without which a fail-over after a crash takes
 * a whole lease duration, or if the grace period is too short for a hand-over. The grace period is checked only if this process may
 * {@code get} its own pod. The shipped roles don't grant that right, because it would include the other pods of the namespace.
 *
 * @param environment returns an environment variable; {@code null} if it isn't set
 * @param shutdownPhase the timeout of the web server's graceful shutdown
 * @param gracePeriod reads the grace period of a pod; empty if it can't be known
 * @param checked whether the pod has been checked
 */
public record PodCheck(
        UnaryOperator<@Nullable String> environment,
        ConfiguredLeases leases,
        Duration shutdownPhase,
        Function<ObjectKey, CompletionStage<Optional<Duration>>> gracePeriod,
        AtomicBoolean checked)
        implements LeaseLockCustomizer {

    /** A stop sends two requests: one withdraws the candidacy, one releases or hands over the lease. */
    private static final int REQUESTS = 2;

    private static final Duration JVM = Duration.ofSeconds(5);
    private static final List<String> VARIABLES = List.of("POD_NAME", "POD_UID", "POD_NAMESPACE");
    private static final Logger log = LoggerFactory.getLogger(PodCheck.class);

    /**
     * Creates the check of the pod that this process runs in.
     *
     * @param cluster {@code null} if this process joins no cluster: then nothing is checked
     */
    public static PodCheck of(@Nullable ClusterClient cluster, ConfiguredLeases leases, Environment environment) {
        return new PodCheck(
                variable -> cluster == null ? null : environment.getProperty(variable),
                leases,
                environment.getProperty(
                        "spring.lifecycle.timeout-per-shutdown-phase", Duration.class, Duration.ofSeconds(30)),
                pod -> cluster == null ? CompletableFuture.completedFuture(Optional.empty()) : cluster.gracePeriod(pod),
                new AtomicBoolean());
    }

    /** Checks the pod with the first lease that is joined. */
    @Override
    public void customize(String name, CoordinatedLeaseLock lock) {
        if (checked.compareAndSet(false, true)) {
            check();
        }
    }

    /** Logs what is missing; completes after that, and never fails. */
    CompletionStage<Void> check() {
        if (missing("KUBERNETES_SERVICE_HOST")) {
            return CompletableFuture.completedFuture(null);
        }
        List<String> unset = VARIABLES.stream().filter(this::missing).toList();
        if (!unset.isEmpty() && coordinated().findAny().isPresent()) {
            log.warn(
                    "this process runs in a pod, but {} {} not set: Kubernetes won't remove its candidates with the pod, and the"
                            + " coordinator can't see that the pod has ended, so that a crash of the leader costs a whole lease"
                            + " duration. Set POD_NAME, POD_UID and POD_NAMESPACE by the downward API (fieldRef metadata.name,"
                            + " metadata.uid, metadata.namespace), as in cle-coordinator-app/deploy/application/deployment.yaml",
                    String.join(", ", unset),
                    unset.size() == 1 ? "is" : "are");
        }
        String name = environment.apply("POD_NAME");
        String namespace = environment.apply("POD_NAMESPACE");
        if (name == null || name.isBlank() || namespace == null || namespace.isBlank()) {
            return CompletableFuture.completedFuture(null);
        }
        ObjectKey pod = new ObjectKey(namespace, name);
        return gracePeriod.apply(pod).thenAccept(found -> found.ifPresent(period -> compare(pod, period)));
    }

    private boolean missing(String variable) {
        String value = environment.apply(variable);
        return value == null || value.isBlank();
    }

    private Stream<LeaseSettings> coordinated() {
        return leases.all().filter(lease -> lease.config().coordinated());
    }

    private void compare(ObjectKey pod, Duration period) {
        LeaseSettings slowest =
                leases.all().max(Comparator.comparing(PodCheck::stopOf)).orElseThrow();
        Duration needed = stopOf(slowest).plus(shutdownPhase).plus(JVM);
        if (period.compareTo(needed) < 0) {
            log.warn(
                    "pod {}: terminationGracePeriodSeconds is {}, and a stop may take {} s ({} s drain timeout of the lease {}, {} s for"
                            + " two requests, {} s spring.lifecycle.timeout-per-shutdown-phase, {} s for the JVM): the kubelet would"
                            + " kill a leader before it has handed over, and its lease would have to expire; raise the one or lower"
                            + " the others",
                    pod,
                    period.toSeconds(),
                    needed.toSeconds(),
                    slowest.drainTimeout().toSeconds(),
                    slowest.commonName(),
                    requests(slowest).toSeconds(),
                    shutdownPhase.toSeconds(),
                    JVM.toSeconds());
        }
    }

    private static Duration stopOf(LeaseSettings lease) {
        return lease.drainTimeout().plus(requests(lease));
    }

    private static Duration requests(LeaseSettings lease) {
        return lease.timings().requestTimeout().multipliedBy(REQUESTS);
    }
}
