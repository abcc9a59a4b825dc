package io.cle.test.apiserver;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Runs this machine's {@code kubectl} against a server. */
public final class Kubectl {

    private final Path home;
    private final Path kubeconfig;

    /** Runs {@code kubectl} with this home directory and kubeconfig. */
    public Kubectl(Path home, Path kubeconfig) {
        this.home = home;
        this.kubeconfig = kubeconfig;
    }

    /** Whether {@code kubectl} is on the PATH. */
    public static boolean isThere() {
        String path = System.getenv("PATH");
        return path != null
                && Stream.of(path.split(File.pathSeparator))
                        .anyMatch(directory -> Files.isExecutable(Path.of(directory, "kubectl")));
    }

    /** Returns the standard output; fails unless {@code kubectl} succeeds. */
    public String run(String... arguments) {
        return run(Map.of(), arguments);
    }

    /** Like {@link #run(String...)}, with additional environment variables. */
    String run(Map<String, String> environment, String... arguments) {
        return ended(start(environment, arguments), "kubectl " + String.join(" ", arguments));
    }

    private static String ended(Process process, String what) {
        try {
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!process.waitFor(60, TimeUnit.SECONDS) || process.exitValue() != 0) {
                throw new AssertionError(what + " has failed:\n" + output);
            }
            return output;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        } finally {
            process.destroyForcibly();
        }
    }

    /** Runs a line that begins with {@code kubectl} in a shell, and returns its output; fails unless it succeeds. */
    public String runLine(String line) {
        return ended(start(Map.of(), List.of("sh", "-c", line)), line);
    }

    /** Starts {@code kubectl}, which runs until the caller ends it; its output can be read line by line. */
    Process start(String... arguments) {
        return start(Map.of(), arguments);
    }

    static BufferedReader linesOf(Process process) {
        return process.inputReader(StandardCharsets.UTF_8);
    }

    private Process start(Map<String, String> environment, String... arguments) {
        List<String> command = new ArrayList<>(List.of("kubectl"));
        command.addAll(List.of(arguments));
        return start(environment, command);
    }

    private Process start(Map<String, String> environment, List<String> command) {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("KUBECONFIG", kubeconfig.toString());
        builder.environment().put("HOME", home.toString());
        builder.environment().putAll(environment);
        try {
            return builder.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
