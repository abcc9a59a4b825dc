package io.cle.samples.firstleader;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;

import io.cle.test.apiserver.real.EnabledIfRealApiServer;
import io.cle.test.apiserver.real.RealApiServer;
import org.junit.jupiter.api.condition.EnabledIf;

/** In the crd format. */
@EnabledIfRealApiServer
@EnabledIf(value = "built", disabledReason = "the executable jars are not built: run ./mvnw verify")
class AuditedRightsTest extends AuditedRights {

    static boolean built() {
        return JarProcess.built();
    }

    @Override
    RealApiServer start(Path log) {
        return RealApiServer.startAudited(log);
    }

    @Override
    String format() {
        return "crd";
    }

    @Override
    String candidates() {
        return "coordination.cle.io";
    }

    @Override
    String body(String namespace, String lease, Instant renewed, Duration validity) {
        return """
                {'apiVersion': 'coordination.cle.io/v1alpha1', 'kind': 'LeaseCandidate',
                 'metadata': {'name': '%2$s-1', 'labels': {'binary-version': '1.0.0', 'compatibility-version': '1.0.0'}},
                 'spec': {'canLeadLease': '%1$s/%2$s', 'leaseDurationSeconds': %4$d, 'renewTime': '%3$s'}}
                """.formatted(namespace, lease, renewed, validity.toSeconds());
    }
}
