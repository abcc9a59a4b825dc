package io.cle.evidence.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A candidate in a separate process, which prints its events. Thread-safe. */
public final class Contender implements AutoCloseable {

    private final String name;
    private final Process process;
    private final Path log;
    private final List<Event> events = new ArrayList<>();

    private Contender(String name, Process process, Path log) {
        this.name = name;
        this.process = process;
        this.log = log;
    }

    /**
     * Starts a process.
     *
     * @param log the file for its standard error
     */
    public static Contender start(String name, List<String> command, Map<String, String> environment, Path log) {
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectInput(ProcessBuilder.Redirect.PIPE)
                .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().putAll(environment);
        try {
            Contender contender = new Contender(name, builder.start(), log);
            Thread reader = new Thread(contender::read, name + "-output");
            reader.setDaemon(true);
            reader.start();
            return contender;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start " + command, e);
        }
    }

    private void read() {
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                Event.parse(line).ifPresent(this::happened);
            }
        } catch (IOException e) {
            // The process has ended.
            happened(new Event(UnixTime.now(), "ended"));
        }
    }

    private synchronized void happened(Event event) {
        events.add(event);
        notifyAll();
    }

    public String name() {
        return name;
    }

    public long pid() {
        return process.pid();
    }

    /**
     * Returns a figure of the process from the kernel, such as {@code VmRSS} (resident memory in KiB) or
     * {@code Threads}; empty if there is no {@code /proc}.
     */
    public OptionalLong status(String key) {
        Path status = Path.of("/proc", String.valueOf(pid()), "status");
        if (!Files.isReadable(status)) {
            return OptionalLong.empty();
        }
        try (Stream<String> lines = Files.lines(status)) {
            return lines.filter(line -> line.startsWith(key + ":"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                    .findFirst();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the events so far. */
    public synchronized List<Event> events() {
        return List.copyOf(events);
    }

    /** Returns how often an event has occurred so far. */
    public long count(String what) {
        return events().stream().filter(event -> event.what().equals(what)).count();
    }

    /**
     * Waits for the first event of a kind at an instant or later.
     *
     * @throws IllegalStateException if there is none in time
     */
    public synchronized Event await(String what, long since, Duration patience) throws InterruptedException {
        long deadline = System.nanoTime() + patience.toNanos();
        while (true) {
            Optional<Event> found = events.stream()
                    .filter(event -> event.what().equals(what) && event.nanos() >= since)
                    .findFirst();
            if (found.isPresent()) {
                return found.get();
            }
            long left = deadline - System.nanoTime();
            if (left <= 0) {
                throw new IllegalStateException(name + " was not '" + what + "' within " + patience + "; its events: "
                        + events + "; see " + log);
            }
            TimeUnit.NANOSECONDS.timedWait(this, Math.max(left, 1_000_000));
        }
    }

    /** Waits for the first event of a kind. */
    public Event await(String what, Duration patience) throws InterruptedException {
        return await(what, 0, patience);
    }

    /** Sends SIGTERM; returns when. Uses the handle, because {@code Process.destroy()} would also close its output. */
    public long terminate() {
        long now = UnixTime.now();
        process.toHandle().destroy();
        return now;
    }

    /** Sends SIGKILL; returns when. */
    public long kill() {
        long now = UnixTime.now();
        process.toHandle().destroyForcibly();
        return now;
    }

    /**
     * Waits until the process has ended.
     *
     * @throws IllegalStateException if it is still running after {@code patience}
     */
    public void awaitExit(Duration patience) throws InterruptedException {
        if (!process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new IllegalStateException(name + " has not ended within " + patience + "; see " + log);
        }
    }

    /** Ends it with SIGTERM, or else with SIGKILL. */
    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(20, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            process.destroyForcibly();
        }
    }
}
