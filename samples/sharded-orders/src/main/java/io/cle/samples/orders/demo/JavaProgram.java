package io.cle.samples.orders.demo;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A Java process that the demo has started. It ends with the demo, unless the demo is killed. */
final class JavaProgram implements AutoCloseable {

    private static final Duration GRACE = Duration.ofSeconds(40);

    private final Process process;

    private JavaProgram(Process process) {
        this.process = process;
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly, "end-of-" + process.pid()));
    }

    /**
     * Starts a process with this process's Java.
     *
     * @param output the file for standard output and standard error
     */
    static JavaProgram start(List<String> arguments, Map<String, String> environment, Path output) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        // The processes share a laptop and are short-lived: they start faster with little compilation.
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
        command.addAll(arguments);
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
        builder.environment().putAll(environment);
        try {
            Files.createDirectories(output.toAbsolutePath().getParent());
            return new JavaProgram(builder.start());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start " + command, e);
        }
    }

    /** Returns the process's id. */
    long pid() {
        return process.pid();
    }

    /** Returns whether it runs. */
    boolean running() {
        return process.isAlive();
    }

    /** Sends SIGTERM. */
    void terminate() {
        process.destroy();
    }

    /** Sends SIGKILL, and waits until the process is gone. */
    void kill() throws InterruptedException {
        process.destroyForcibly();
        process.waitFor();
    }

    /** Waits until the process has ended; returns false if it hasn't after 40 s, which is longer than a drain. */
    boolean awaitEnd() throws InterruptedException {
        return process.waitFor(GRACE.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Kills the process. */
    @Override
    public void close() {
        process.destroyForcibly();
    }
}
