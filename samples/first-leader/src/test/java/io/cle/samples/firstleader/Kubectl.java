package io.cle.samples.firstleader;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.cle.test.apiserver.real.RealApiServer;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs {@code kubectl} as a cluster administrator does, in the root of the project.
 *
 * @param folder for its output
 */
record Kubectl(RealApiServer server, Path folder) {

    /** Runs {@code kubectl} and returns its standard output; fails unless it succeeds. */
    String run(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(
                List.of("kubectl", "--kubeconfig", server.kubeconfig().toString()));
        command.addAll(List.of(arguments));
        Path output = folder.resolve("kubectl.out");
        Path errors = folder.resolve("kubectl.err");
        Process process = new ProcessBuilder(command)
                .directory(JarProcess.ROOT.toFile())
                .redirectOutput(output.toFile())
                .redirectError(errors.toFile())
                .start();
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).as("%s ends", command).isTrue();
        assertThat(process.exitValue())
                .as("%s: %s", command, Files.readString(errors))
                .isZero();
        return Files.readString(output);
    }

    /** Whether the server serves a version of an API. */
    boolean serves(String groupVersion) {
        return server.api().get("/apis/" + groupVersion).code() == 200;
    }
}
