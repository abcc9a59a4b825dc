package io.cle.samples.chaos;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;

import org.jspecify.annotations.Nullable;

/** A process with a proxy of its own between it and the API server. Confined to the thread that makes faults. */
final class Victim implements AutoCloseable {

    private final String name;
    private final Path directory;
    private final Path kubeconfig;
    private final SlowProxy proxy;
    private final IntFunction<List<String>> command;
    private @Nullable Process process;
    private int starts;
    private boolean stopped;

    /**
     * A process that isn't started yet.
     *
     * @param command what to run, by the number of the start: a new one has a new identity
     */
    Victim(String name, Path directory, Path kubeconfig, int apiServerPort, IntFunction<List<String>> command)
            throws IOException {
        this.name = name;
        this.directory = directory;
        this.command = command;
        this.proxy = new SlowProxy(apiServerPort);
        this.kubeconfig = directory.resolve(name + ".kubeconfig");
        Files.writeString(
                this.kubeconfig,
                Files.readString(kubeconfig).replace("127.0.0.1:" + apiServerPort, "127.0.0.1:" + proxy.port()));
    }

    String name() {
        return name;
    }

    SlowProxy proxy() {
        return proxy;
    }

    boolean running() {
        return process != null && process.isAlive();
    }

    boolean stopped() {
        return stopped;
    }

    /** The identity under which it runs; changes with every start. */
    String identity() {
        return name + "-" + starts;
    }

    void start() throws IOException {
        starts++;
        File log = directory.resolve(name + ".log").toFile();
        ProcessBuilder builder = new ProcessBuilder(command.apply(starts))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log));
        builder.environment().put("KUBECONFIG", kubeconfig.toString());
        process = builder.start();
    }

    /** Ends it without warning. */
    void kill() {
        signal("KILL");
        stopped = false;
    }

    /** Asks it to end. */
    void terminate() {
        signal("TERM");
    }

    /** Freezes it, as a long garbage collection or a suspended machine does. */
    void stop() {
        signal("STOP");
        stopped = true;
    }

    /** Lets it go on, knowing nothing of the time that has passed. */
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
