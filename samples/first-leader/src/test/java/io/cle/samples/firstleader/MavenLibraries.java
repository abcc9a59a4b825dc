package io.cle.samples.firstleader;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Resolves a project's dependencies like a user's Maven. If no repository can be reached, the test is skipped, or fails
 * if the environment variable {@code CLE_REQUIRE_REPOSITORY} is {@code true}.
 */
final class MavenLibraries {

    private static final Path LOCAL_REPOSITORY = Path.of(System.getProperty(
            "localRepository",
            Path.of(System.getProperty("user.home"), ".m2", "repository").toString()));

    /** The file in each project's directory. */
    private static final String OUTPUT = "classpath";

    private MavenLibraries() {}

    /**
     * Returns the runtime class paths of projects, without the projects themselves, with one run of Maven.
     *
     * @param directory for the projects
     * @param poms by the names of the projects; each calls its project {@code orders}
     */
    static Map<String, String> of(Path directory, Map<String, String> poms) throws IOException, InterruptedException {
        return resolve(directory, poms, List.of("-Dmaven.repo.local=" + LOCAL_REPOSITORY));
    }

    /**
     * Like {@link #of(Path, Map)}, with artifacts that aren't installed.
     *
     * @param built a repository with the artifacts; it precedes the machine's own, and receives downloads
     */
    static Map<String, String> ofBuilt(Path directory, Map<String, String> poms, Path built)
            throws IOException, InterruptedException {
        return resolve(
                directory, poms, List.of("-Dmaven.repo.local=" + built, "-Dmaven.repo.local.tail=" + LOCAL_REPOSITORY));
    }

    private static Map<String, String> resolve(Path directory, Map<String, String> poms, List<String> options)
            throws IOException, InterruptedException {
        StringBuilder modules = new StringBuilder();
        for (Map.Entry<String, String> pom : poms.entrySet()) {
            Path module = Files.createDirectories(directory.resolve(pom.getKey()));
            Files.writeString(
                    module.resolve("pom.xml"),
                    pom.getValue().replaceFirst("<artifactId>orders<", "<artifactId>" + pom.getKey() + "<"));
            modules.append("<module>").append(pom.getKey()).append("</module>");
        }
        Path all = Files.writeString(directory.resolve("pom.xml"), """
                <project xmlns="http://maven.apache.org/POM/4.0.0">
                <modelVersion>4.0.0</modelVersion>
                <groupId>io.cle</groupId><artifactId>all</artifactId><version>1</version><packaging>pom</packaging>
                <modules>%s</modules>
                </project>
                """.formatted(modules));
        resolve(all, options);
        Map<String, String> classPaths = new HashMap<>();
        for (String name : poms.keySet()) {
            classPaths.put(
                    name,
                    Files.readString(directory.resolve(name).resolve(OUTPUT)).strip());
        }
        return classPaths;
    }

    private static void resolve(Path pom, List<String> options) throws IOException, InterruptedException {
        Path log = pom.resolveSibling("maven.log");
        List<String> command = new ArrayList<>(List.of(
                JarProcess.ROOT.resolve("mvnw").toString(),
                "--quiet",
                "--batch-mode",
                "--file",
                pom.toString(),
                "org.apache.maven.plugins:maven-dependency-plugin:3.9.0:build-classpath",
                "-Dmdep.outputFile=" + OUTPUT,
                "-DincludeScope=runtime"));
        command.addAll(options);
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(pom.getParent().toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        builder.environment().put("MAVEN_OPTS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC");
        Process maven = builder.start();
        boolean ended = maven.waitFor(5, TimeUnit.MINUTES);
        if (!ended) {
            maven.destroyForcibly();
        }
        boolean resolved = ended && maven.exitValue() == 0;
        if (Boolean.parseBoolean(System.getenv("CLE_REQUIRE_REPOSITORY"))) {
            assertThat(resolved).as(() -> Pages.read(log)).isTrue();
        }
        assumeTrue(resolved, () -> "Maven can't resolve the libraries: " + Pages.read(log));
    }
}
