package io.cle.test.apiserver.real;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** A process that ends with this JVM, even if that is killed: a shell kills it when the pipe from the JVM breaks. */
final class GuardedProcess {

    /** The guard reads the JVM's pipe, which is never written to, and cleans up when the JVM no longer can. */
    private static final String GUARD = """
            home=$1; shift
            exec 3<&0
            "$@" </dev/null 3<&- &
            child=$!
            trap 'kill -TERM $child 2>/dev/null' TERM
            ( read -r never <&3; kill -KILL $child 2>/dev/null; kill -0 $PPID 2>/dev/null || rm -rf "$home" ) &
            guard=$!
            exec 3<&-
            wait $child; code=$?
            while kill -0 $child 2>/dev/null; do wait $child; code=$?; done
            kill -KILL $guard 2>/dev/null
            exit $code
            """;

    private static final Duration STEP = Duration.ofMillis(20);
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration GRACE = Duration.ofSeconds(10);

    private final String name;
    private final Process shell;
    private final Path log;

    private GuardedProcess(String name, Process shell, Path log) {
        this.name = name;
        this.shell = shell;
        this.log = log;
    }

    /**
     * Starts a command.
     *
     * @param home the directory of its data and output; removed if the JVM is killed
     */
    static GuardedProcess start(String name, List<String> command, Path home) {
        Path log = home.resolve(name + ".log");
        List<String> guarded = new ArrayList<>(List.of("/bin/sh", "-c", GUARD, name, home.toString()));
        guarded.addAll(command);
        File output = log.toFile();
        try {
            Process shell = new ProcessBuilder(guarded)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(output))
                    .start();
            return new GuardedProcess(name, shell, log);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start " + command.get(0), e);
        }
    }

    /**
     * Waits until it is ready.
     *
     * @throws IllegalStateException with the end of its log if it exits or isn't ready within a minute
     */
    void awaitReady(BooleanSupplier ready) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!ready.getAsBoolean()) {
            if (endsWithin(STEP)) {
                throw new IllegalStateException(
                        name + " has ended with code " + shell.exitValue() + ":\n" + endOfLog());
            }
            if (System.nanoTime() - deadline > 0) {
                kill();
                throw new IllegalStateException(name + " isn't ready after " + PATIENCE + ":\n" + endOfLog());
            }
        }
    }

    boolean running() {
        return shell.isAlive();
    }

    /**
     * Kills it and waits until its port and files are released, which is when the shell exits. The shell itself isn't
     * killed: the system would then reap the process, on some systems seconds later.
     */
    void kill() {
        long deadline = System.nanoTime() + GRACE.toNanos();
        do {
            // Repeated, because the shell may not have started it yet.
            shell.descendants().forEach(ProcessHandle::destroyForcibly);
            if (endsWithin(STEP)) {
                return;
            }
        } while (System.nanoTime() - deadline < 0);
        shell.destroyForcibly();
        throw new IllegalStateException(name + " is still running " + GRACE + " after being killed:\n" + endOfLog());
    }

    private boolean endsWithin(Duration time) {
        try {
            return shell.waitFor(time.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            shell.descendants().forEach(ProcessHandle::destroyForcibly);
            throw new IllegalStateException("interrupted while waiting for " + name, e);
        }
    }

    private String endOfLog() {
        try {
            List<String> lines = Files.readAllLines(log, StandardCharsets.UTF_8);
            return String.join("\n", lines.subList(Math.max(0, lines.size() - 20), lines.size()));
        } catch (IOException e) {
            return "(its log " + log + " cannot be read: " + e.getMessage() + ")";
        }
    }
}
