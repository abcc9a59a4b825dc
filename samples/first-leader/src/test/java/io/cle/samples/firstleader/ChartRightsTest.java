package io.cle.samples.firstleader;

import java.util.List;

import io.cle.test.apiserver.real.EnabledIfRealApiServer;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** The rights of the Helm chart, in each form with {@code -Pthorough}, and in one otherwise. */
@ParameterizedClass
@MethodSource("forms")
@EnabledIfRealApiServer
@EnabledIf(
        value = "possible",
        disabledReason = "there is no kubectl on the path, or the jars are not built: run ./mvnw verify")
@EnabledOnOs(value = OS.LINUX, architectures = "amd64", disabledReason = "Helm's library is brought for Linux on amd64")
class ChartRightsTest extends CrdShippedRights {

    static List<Installation> forms() {
        return Installation.toBeInstalled().filter(form -> form.helm()).toList();
    }
}
