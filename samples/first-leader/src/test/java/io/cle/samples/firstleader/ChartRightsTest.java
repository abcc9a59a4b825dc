package io.cle.samples.firstleader;

import io.cle.test.apiserver.real.EnabledIfRealApiServer;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The rights of the Helm chart. */
@ParameterizedClass
@EnumSource(value = Installation.class, mode = EnumSource.Mode.MATCH_ALL, names = "HELM_.*")
@EnabledIfRealApiServer
@EnabledIf(
        value = "possible",
        disabledReason = "there is no kubectl on the path, or the jars are not built: run ./mvnw verify")
@EnabledOnOs(value = OS.LINUX, architectures = "amd64", disabledReason = "Helm's library is brought for Linux on amd64")
class ChartRightsTest extends CrdShippedRights {}
