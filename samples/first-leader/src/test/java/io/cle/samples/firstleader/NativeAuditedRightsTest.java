package io.cle.samples.firstleader;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Set;

import io.cle.test.apiserver.real.EnabledIfNativeApiServer;
import io.cle.test.apiserver.real.RealApiServer;
import org.junit.jupiter.api.condition.EnabledIf;

/** In the native format, with a strategy that kube-apiserver leaves to our coordinator. */
@EnabledIfNativeApiServer
@EnabledIf(value = "built", disabledReason = "the executable jars are not built: run ./mvnw verify")
class NativeAuditedRightsTest extends AuditedRights {

    static boolean built() {
        return JarProcess.built();
    }

    @Override
    RealApiServer start(Path log) {
        return RealApiServer.startNativeAudited(log);
    }

    @Override
    String format() {
        return "native";
    }

    @Override
    String candidates() {
        return "coordination.k8s.io";
    }

    /** Here it follows every Lease, labelled or not, so that a conflict takes a lost watch event, too. */
    @Override
    Set<String> unprovoked() {
        return Set.of("get leasecandidates." + candidates(), "get leases.coordination.k8s.io");
    }

    @Override
    String strategy() {
        return "coordination.cle.io/OldestCompatibilityVersion";
    }

    /** The format has no field for the validity. */
    @Override
    String body(String namespace, String lease, Instant renewed, Duration validity) {
        return """
                {'apiVersion': 'coordination.k8s.io/v1beta1', 'kind': 'LeaseCandidate', 'metadata': {'name': '%2$s-1'},
                 'spec': {'leaseName': '%2$s', 'binaryVersion': '1.0.0', 'emulationVersion': '1.0.0', 'strategy': '%4$s',
                   'renewTime': '%3$s'}}
                """.formatted(
                namespace, lease, renewed.truncatedTo(ChronoUnit.SECONDS).plusNanos(1000), strategy());
    }
}
