package io.cle.samples.firstleader;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;

import io.cle.test.apiserver.real.RealApiServer;

/** The shipped rights in the crd format. */
abstract class CrdShippedRights extends ShippedRights {

    static boolean possible() {
        return JarProcess.built() && Programs.find("kubectl").isPresent();
    }

    @Override
    RealApiServer start(Path log) {
        return RealApiServer.startAudited(log);
    }

    @Override
    String candidates() {
        return "coordination.cle.io/v1alpha1";
    }

    @Override
    String strategy() {
        return "OldestCompatibilityVersion";
    }

    @Override
    Set<String> unprovoked() {
        return Set.of();
    }

    @Override
    String candidate(String namespace, String lease, Instant renewed, Duration validity) {
        return """
                {'apiVersion': 'coordination.cle.io/v1alpha1', 'kind': 'LeaseCandidate',
                 'metadata': {'labels': {'binary-version': '1.0.0', 'compatibility-version': '1.0.0'}},
                 'spec': {'canLeadLease': '%s/%s', 'leaseDurationSeconds': %d, 'renewTime': '%s'}}
                """.formatted(namespace, lease, validity.toSeconds(), micros(renewed));
    }
}
