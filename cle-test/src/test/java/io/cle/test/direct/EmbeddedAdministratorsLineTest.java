package io.cle.test.direct;

import java.nio.file.Path;

import io.cle.test.apiserver.EmbeddedApiServer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;

/** On the embedded API server. */
@EnabledIfEnvironmentVariable(
        named = "CI",
        matches = "true",
        disabledReason = "starts kubectl again and again; CI=true ./mvnw verify runs it")
class EmbeddedAdministratorsLineTest extends AdministratorsLineContract {

    @AutoClose
    private final EmbeddedApiServer server = EmbeddedApiServer.start();

    @TempDir
    private Path directory;

    @Override
    Server server() {
        return Server.of(server);
    }

    @Override
    Path kubeconfig() {
        return server.writeKubeconfig(directory.resolve("kubeconfig"));
    }
}
