package io.cle.samples.firstleader;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One of the build's executable jars, run like users do. */
final class JarProcess implements AutoCloseable {

    /** The root of the project. */
    static final Path ROOT = Path.of("..", "..").toAbsolutePath().normalize();

    static final Path COORDINATOR = ROOT.resolve("cle-coordinator-app/target/cle-coordinator-app.jar");
    static final Path CANDIDATE = ROOT.resolve("samples/candidate/target/candidate.jar");
    static final Path LOCAL_CLUSTER = ROOT.resolve("samples/local-cluster/target/local-cluster.jar");

    private final Process process;
    private final Path output;

    private JarProcess(Process process, Path output) {
        this.process = process;
        this.output = output;
    }

    /** Returns the version of the project, which is part of the names of its jars. */
    static String version() {
        try {
            Matcher version = Pattern.compile("<artifactId>cle-parent</artifactId>\\s*<version>([^<]+)")
                    .matcher(Files.readString(ROOT.resolve("pom.xml")));
            if (!version.find()) {
                throw new IllegalStateException("no version of cle-parent in " + ROOT.resolve("pom.xml"));
            }
            return version.group(1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether the build has reached {@code package}. */
    static boolean built() {
        return List.of(COORDINATOR, CANDIDATE, LOCAL_CLUSTER).stream().allMatch(Files::exists);
    }

    /**
     * Starts a jar.
     *
     * @param output the file for standard output and standard error
     */
    static JarProcess start(Path jar, Map<String, String> environment, Path output, List<String> arguments) {
        List<String> command =
                new ArrayList<>(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-jar", jar.toString()));
        command.addAll(arguments);
        return java(command, environment, output, ROOT);
    }

    /** Starts a JVM of this JDK. */
    static JarProcess java(List<String> arguments, Map<String, String> environment, Path output, Path directory) {
        return java(Path.of(System.getProperty("java.home")), arguments, environment, output, directory);
    }

    /** Starts a JVM of the given JDK. */
    static JarProcess java(
            Path jdk, List<String> arguments, Map<String, String> environment, Path output, Path directory) {
        List<String> command = new ArrayList<>();
        command.add(jdk.resolve("bin").resolve("java").toString());
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        builder.environment().putAll(environment);
        try {
            return new JarProcess(builder.start(), output);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns its output so far. */
    String output() {
        try {
            return Files.readString(output);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Kills it, as by SIGKILL. */
    void kill() {
        process.destroyForcibly();
        await();
    }

    @Override
    public void close() {
        process.destroy();
        await();
    }

    private void await() {
        try {
            if (!process.waitFor(30, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            process.destroyForcibly();
        }
    }
}
