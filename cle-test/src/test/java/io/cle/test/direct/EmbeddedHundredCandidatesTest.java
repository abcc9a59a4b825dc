package io.cle.test.direct;

import io.cle.test.apiserver.EmbeddedApiServer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/** On the embedded API server. */
@EnabledIfEnvironmentVariable(
        named = "CI",
        matches = "true",
        disabledReason = "takes half a minute; CI=true ./mvnw verify runs it")
class EmbeddedHundredCandidatesTest extends HundredCandidatesContract {

    @AutoClose
    private static final EmbeddedApiServer SERVER = EmbeddedApiServer.start();

    @Override
    Server server() {
        return Server.of(SERVER);
    }
}
