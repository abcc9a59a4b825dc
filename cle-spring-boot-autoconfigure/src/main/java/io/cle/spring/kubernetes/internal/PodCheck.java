package io.cle.spring.kubernetes.internal;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

import io.cle.CoordinatedLeaseLock;
import io.cle.spring.lock.LeaseLockCustomizer;
import io.cle.spring.lock.internal.Leases;
import io.cle.spring.properties.internal.LeaseSettings;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/**
 * Warns, when the first coordinated lease is joined, if the manifest of the pod lacks its identity, without which a fail-over after a crash
 * takes a whole lease duration. Sends no request.
 *
 * @param unset the variables that the pod lacks
 * @param warned whether it has warned
 */
public record PodCheck(Leases leases, List<String> unset, AtomicBoolean warned) implements LeaseLockCustomizer {

    private static final Logger log = LoggerFactory.getLogger(PodCheck.class);

    /**
     * Creates the check of the pod that this process runs in.
     *
     * @param cluster {@code null} if this process joins no cluster: then nothing is checked
     */
    public static PodCheck of(@Nullable ClusterClient cluster, Leases leases, Environment environment) {
        boolean inPod = cluster != null && StringUtils.hasText(environment.getProperty("KUBERNETES_SERVICE_HOST"));
        List<String> unset = Stream.of("POD_NAME", "POD_UID", "POD_NAMESPACE")
                .filter(variable -> inPod && !StringUtils.hasText(environment.getProperty(variable)))
                .toList();
        return new PodCheck(leases, unset, new AtomicBoolean());
    }

    @Override
    public void customize(String name, CoordinatedLeaseLock lock) {
        LeaseSettings settings = leases.get(name).settings();
        if (!unset.isEmpty() && settings != null && settings.config().coordinated() && !warned.getAndSet(true)) {
            log.warn(
                    "This process runs in a pod, but {} {} not set: Kubernetes won't remove its candidates with the pod, and the"
                            + " coordinator can't see that the pod has ended, so that a crash of the leader costs a whole lease"
                            + " duration. Set POD_NAME, POD_UID and POD_NAMESPACE by the downward API (fieldRef metadata.name,"
                            + " metadata.uid, metadata.namespace), as in cle-coordinator-app/deploy/application/deployment.yaml",
                    String.join(", ", unset),
                    unset.size() == 1 ? "is" : "are");
        }
    }
}
