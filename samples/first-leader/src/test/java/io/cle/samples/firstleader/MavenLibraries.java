package io.cle.samples.firstleader;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Resolves what a project depends on, as a user's Maven does. If Maven can't, because no repository is reached, the test is skipped, and fails
 * if the environment variable {@code CLE_REQUIRE_REPOSITORY} is {@code true}.
 */
final class MavenLibraries {

    private static final Path LOCAL_REPOSITORY = Path.of(System.getProperty(
            "localRepository",
            Path.of(System.getProperty("user.home"), ".m2", "repository").toString()));

    private MavenLibraries() {}

    /** The class path of a project at run time, without the project itself. */
    static String of(Path pom) throws IOException, InterruptedException {
        return resolve(pom, List.of("-Dmaven.repo.local=" + LOCAL_REPOSITORY));
    }

    /**
     * The same, with artifacts that aren't installed.
     *
     * @param built a repository that has them; it comes before the machine's own, and gets what has to be downloaded
     */
    static String of(Path pom, Path built) throws IOException, InterruptedException {
        return resolve(pom, List.of("-Dmaven.repo.local=" + built, "-Dmaven.repo.local.tail=" + LOCAL_REPOSITORY));
    }

    private static String resolve(Path pom, List<String> options) throws IOException, InterruptedException {
        Path output = pom.resolveSibling("classpath");
        Path log = pom.resolveSibling("maven.log");
        List<String> command = new ArrayList<>(List.of(
                JarProcess.ROOT.resolve("mvnw").toString(),
                "--quiet",
                "--batch-mode",
                "--file",
                pom.toString(),
                "org.apache.maven.plugins:maven-dependency-plugin:3.9.0:build-classpath",
                "-Dmdep.outputFile=" + output,
                "-DincludeScope=runtime"));
        command.addAll(options);
        Process maven = new ProcessBuilder(command)
                .directory(pom.getParent().toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        boolean ended = maven.waitFor(5, TimeUnit.MINUTES);
        if (!ended) {
            maven.destroyForcibly();
        }
        boolean resolved = ended && maven.exitValue() == 0;
        if (Boolean.parseBoolean(System.getenv("CLE_REQUIRE_REPOSITORY"))) {
            assertThat(resolved).as(() -> Pages.read(log)).isTrue();
        }
        assumeTrue(resolved, () -> "Maven can't resolve the libraries: " + Pages.read(log));
        return Files.readString(output).strip();
    }
}
