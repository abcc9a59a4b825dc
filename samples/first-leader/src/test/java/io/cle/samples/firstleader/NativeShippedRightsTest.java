package io.cle.samples.firstleader;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;

import io.cle.test.apiserver.real.EnabledIfNativeApiServer;
import io.cle.test.apiserver.real.RealApiServer;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The shipped rights in the native format, with a strategy that kube-apiserver leaves to our coordinator, for each form of installation. */
@ParameterizedClass
@EnumSource(Installation.class)
@EnabledIfNativeApiServer
@EnabledIf(
        value = "possible",
        disabledReason = "there is no kubectl on the path, or the jars are not built: run ./mvnw verify")
@EnabledOnOs(value = OS.LINUX, architectures = "amd64", disabledReason = "Helm's library is brought for Linux on amd64")
class NativeShippedRightsTest extends ShippedRights {

    static boolean possible() {
        return CrdShippedRights.possible();
    }

    @Override
    RealApiServer start(Path log) {
        return RealApiServer.startNativeAudited(log);
    }

    @Override
    String candidates() {
        return "coordination.k8s.io/v1beta1";
    }

    @Override
    String strategy() {
        return "coordination.cle.io/OldestCompatibilityVersion";
    }

    /**
     * kube-apiserver creates the Leases. The coordinator watches all of them, labelled or not, and reads one only if a
     * watch event was lost. A candidate expires half an hour after the coordinator first observed it.
     */
    @Override
    Set<String> unprovoked() {
        return Set.of(CREATE, ADOPT, REMOVE, SHARDS);
    }

    /** {@inheritDoc} The format has no field for the validity. */
    @Override
    String candidate(String namespace, String lease, Instant renewed, Duration validity) {
        return """
                {'apiVersion': 'coordination.k8s.io/v1beta1', 'kind': 'LeaseCandidate', 'metadata': {},
                 'spec': {'leaseName': '%s', 'binaryVersion': '1.0.0', 'emulationVersion': '1.0.0', 'strategy': '%s', 'renewTime': '%s'}}
                """.formatted(lease, strategy(), micros(renewed));
    }
}
