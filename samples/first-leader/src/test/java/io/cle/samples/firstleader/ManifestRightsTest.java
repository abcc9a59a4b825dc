package io.cle.samples.firstleader;

import java.util.List;

import io.cle.test.apiserver.real.EnabledIfRealApiServer;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests the rights of each form of installation with {@code -Pthorough}, otherwise of the form that grants least. */
@ParameterizedClass
@MethodSource("forms")
@EnabledIfRealApiServer
@EnabledIf(
        value = "possible",
        disabledReason = "there is no kubectl on the path, or the jars are not built: run ./mvnw verify")
@EnabledOnOs(value = OS.LINUX, architectures = "amd64", disabledReason = "Helm's library is brought for Linux on amd64")
class ManifestRightsTest extends CrdShippedRights {

    static List<Installation> forms() {
        return Boolean.getBoolean("cle.thorough")
                ? List.of(Installation.values())
                : List.of(Installation.KUSTOMIZE_FOR_A_LIST_OF_NAMESPACES);
    }
}
