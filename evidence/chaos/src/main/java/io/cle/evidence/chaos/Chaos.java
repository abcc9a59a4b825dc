package io.cle.evidence.chaos;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * One run: starts the processes, lets two nemeses attack them and the control plane concurrently for the options' time,
 * and saves the history.
 */
final class Chaos implements AutoCloseable {

    private static final Duration HEALING = Duration.ofSeconds(60);
    private static final Duration START = Duration.ofSeconds(90);

    /** How many consecutive faults may leave the control plane unable to recover in time. */
    private static final int FAILURES = 5;

    private final ChaosOptions options;
    private final Path directory;
    private final ControlPlane controlPlane;
    private final Journal journal = new Journal();
    private final FencedFile file;
    private final List<Victim> workers = new ArrayList<>();
    private final List<Victim> coordinators = new ArrayList<>();
    private final boolean clocks;

    Chaos(ChaosOptions options) throws IOException {
        this.options = options;
        this.directory = Files.createTempDirectory("cle-chaos-");
        this.file = new FencedFile(directory.resolve(Worker.FENCED));
        Optional<WallClocks> wallClocks = WallClocks.find();
        this.clocks = wallClocks.isPresent();
        if (!clocks) {
            System.out.println("wall clocks are not stepped: libfaketime is not installed");
        }
        this.controlPlane = new ControlPlane();
        Victim.Setting setting = new Victim.Setting(directory, controlPlane, journal, wallClocks.orElse(null));
        for (int i = 0; i < options.coordinators(); i++) {
            coordinators.add(new Victim("coordinator-" + i, setting, unused -> coordinatorCommand()));
        }
        for (int i = 0; i < options.workers(); i++) {
            String name = "chaos-w" + i;
            String version = "1." + i + ".0";
            workers.add(new Victim(name, setting, start -> workerCommand(name + "-" + start, version)));
        }
    }

    private List<String> coordinatorCommand() {
        return java(
                "-jar",
                options.coordinatorJar().toString(),
                "--server.port=0",
                "--cle.coordinator.ack-timeout=1s",
                "--cle.coordinator.lease-duration=5s");
    }

    private List<String> workerCommand(String identity, String version) {
        return java("-jar", System.getProperty("java.class.path"), "worker", identity, version, directory.toString());
    }

    private static List<String> java(String... arguments) {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        List<String> command =
                new ArrayList<>(List.of(java, "-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
        command.addAll(Arrays.asList(arguments));
        return command;
    }

    /** Injects faults for the configured time, and saves the history, even if the run fails. */
    void run() throws IOException {
        try {
            attack();
        } finally {
            journal.history(options.seed(), terms(), file.writes()).save(options.history());
        }
    }

    private void attack() throws IOException {
        for (Victim victim : all()) {
            victim.start();
        }
        if (!awaitLeader(START)) {
            throw new IllegalStateException(
                    "there is no leader " + START + " after the start; see the logs in " + directory);
        }
        long end = System.nanoTime() + options.time().toNanos();
        Random random = new Random(options.seed());
        ControlPlaneNemesis controlPlaneNemesis =
                new ControlPlaneNemesis(controlPlane, file, journal, new Random(random.nextLong()));
        ProcessNemesis processNemesis =
                new ProcessNemesis(all(), this::leader, journal, clocks, new Random(random.nextLong()));
        CompletableFuture<Void> both = CompletableFuture.allOf(
                CompletableFuture.runAsync(() -> attackControlPlane(controlPlaneNemesis, end), Chaos::start),
                CompletableFuture.runAsync(() -> attackProcesses(processNemesis, end), Chaos::start));
        both.join();
        controlPlane.heal();
        processNemesis.heal();
        journal.healed();
        awaitLeader(HEALING);
        for (Victim worker : workers) {
            worker.terminate();
        }
        pause(Duration.ofSeconds(2));
    }

    private static void attackProcesses(ProcessNemesis nemesis, long end) {
        while (System.nanoTime() - end < 0) {
            nemesis.strike();
        }
    }

    /**
     * Tolerates some failures: on a busy machine, a process of the control plane may take too long to be ready again,
     * which isn't a fault of leader election.
     */
    private void attackControlPlane(ControlPlaneNemesis nemesis, long end) {
        int failures = 0;
        while (System.nanoTime() - end < 0) {
            try {
                nemesis.strike();
                failures = 0;
            } catch (RuntimeException e) {
                System.out.println("control plane: " + e);
                if (++failures == FAILURES) {
                    throw e;
                }
                controlPlane.heal();
            }
        }
    }

    private static void start(Runnable task) {
        Thread thread = new Thread(task, "nemesis");
        thread.setDaemon(true);
        thread.start();
    }

    private List<Victim> all() {
        return Stream.concat(coordinators.stream(), workers.stream()).toList();
    }

    /** Waits until a process leads; returns false if none does in time. */
    private boolean awaitLeader(Duration patience) throws IOException {
        long from = System.nanoTime();
        while (System.nanoTime() - from < patience.toNanos()) {
            if (terms().stream().anyMatch(term -> term.to() > from)) {
                return true;
            }
            pause(Duration.ofMillis(10));
        }
        return false;
    }

    /** Returns the process that was last recorded as leading. */
    private Victim leader() throws IOException {
        Victim leader = workers.get(0);
        long latest = Long.MIN_VALUE;
        for (Victim worker : workers) {
            for (RecordedTerm term :
                    TermRecorder.read(worker.identity(), directory.resolve(worker.identity() + Worker.TERMS))) {
                if (term.to() > latest) {
                    latest = term.to();
                    leader = worker;
                }
            }
        }
        return leader;
    }

    private List<RecordedTerm> terms() throws IOException {
        List<RecordedTerm> terms = new ArrayList<>();
        try (Stream<Path> files = Files.list(directory)) {
            for (Path path :
                    files.filter(file -> file.toString().endsWith(Worker.TERMS)).toList()) {
                String name = path.getFileName().toString();
                terms.addAll(TermRecorder.read(name.substring(0, name.length() - Worker.TERMS.length()), path));
            }
        }
        return terms;
    }

    Path directory() {
        return directory;
    }

    /** Injects a fault, and ends it after a time. */
    static void during(Duration time, Runnable fault, Runnable end) {
        fault.run();
        pause(time);
        end.run();
    }

    static void pause(Duration time) {
        LockSupport.parkNanos(time.toNanos());
    }

    @Override
    public void close() throws IOException {
        for (Victim victim : all()) {
            victim.close();
        }
        controlPlane.close();
    }
}
