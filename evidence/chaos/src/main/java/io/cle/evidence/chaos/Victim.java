package io.cle.evidence.chaos;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;

import io.cle.evidence.process.Proxy;
import org.jspecify.annotations.Nullable;

/**
 * A process with its own wall clock, and its own proxy as a load balancer before the kube-apiservers. Confined to the
 * thread that injects faults.
 */
final class Victim implements AutoCloseable {

    private final String name;
    private final Path kubeconfig;
    private final Path offset;
    private final Proxy proxy;
    private final Setting setting;
    private final IntFunction<List<String>> command;
    private @Nullable Process process;
    private int starts;
    private boolean stopped;

    /**
     * The common environment of all processes.
     *
     * @param clocks null if wall clocks can't be stepped here
     */
    record Setting(
            Path directory,
            ControlPlane controlPlane,
            Journal journal,
            @Nullable WallClocks clocks) {}

    /**
     * Creates a process that isn't started yet.
     *
     * @param command returns the command for the number of the start: each start has a new identity
     */
    Victim(String name, Setting setting, IntFunction<List<String>> command) throws IOException {
        this.name = name;
        this.setting = setting;
        this.command = command;
        ControlPlane controlPlane = setting.controlPlane();
        this.proxy = new Proxy(Proxy.RouteBy.BACKEND, controlPlane.ports());
        this.kubeconfig = setting.directory().resolve(name + ".kubeconfig");
        this.offset = setting.directory().resolve(name + ".offset");
        WallClocks.set(offset, Duration.ZERO);
        Files.writeString(
                this.kubeconfig,
                Files.readString(controlPlane.kubeconfig())
                        .replace(controlPlane.uri().toString(), "https://127.0.0.1:" + proxy.port()));
    }

    String name() {
        return name;
    }

    Proxy proxy() {
        return proxy;
    }

    boolean running() {
        return process != null && process.isAlive();
    }

    boolean stopped() {
        return stopped;
    }

    /** Returns the identity of its current run; changes with every start. */
    String identity() {
        return name + "-" + starts;
    }

    void start() throws IOException {
        starts++;
        File log = setting.directory().resolve(name + ".log").toFile();
        ProcessBuilder builder = new ProcessBuilder(command.apply(starts))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log));
        builder.environment().put("KUBECONFIG", kubeconfig.toString());
        WallClocks clocks = setting.clocks();
        if (clocks != null) {
            builder.environment().putAll(clocks.environment(offset));
        }
        setting.journal().starting(identity());
        process = builder.start();
    }

    /** Sets the offset of its wall clock from the machine's; its monotonic clock is unaffected. */
    void setClock(Duration time) throws IOException {
        WallClocks.set(offset, time);
    }

    /** Kills it with SIGKILL. */
    void kill() {
        signal("KILL");
        stopped = false;
    }

    /** Sends SIGTERM. */
    void terminate() {
        signal("TERM");
    }

    /** Freezes it, as a long garbage collection or a suspended machine does. */
    void stop() {
        signal("STOP");
        stopped = true;
    }

    /** Resumes it, unaware of the time that has passed. */
    void goOn() {
        signal("CONT");
        stopped = false;
    }

    private void signal(String signal) {
        if (!running() || process == null) {
            return;
        }
        try {
            new ProcessBuilder("kill", "-" + signal, String.valueOf(process.pid()))
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor(5, TimeUnit.SECONDS);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() throws IOException {
        goOn();
        kill();
        proxy.close();
    }
}
