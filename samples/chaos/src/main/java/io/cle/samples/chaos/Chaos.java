package io.cle.samples.chaos;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

import io.cle.test.apiserver.real.RealApiServer;

/** One run: the processes, the faults, and in the end the account. Everything is bounded by the options' time. */
final class Chaos implements AutoCloseable {

    private static final List<Fault> KINDS = List.of(Fault.values());
    private static final Duration HEALING = Duration.ofSeconds(60);
    private static final Duration START = Duration.ofSeconds(90);

    private final ChaosOptions options;
    private final Random random;
    private final Path directory;
    private final RealApiServer server;
    private final List<Victim> workers = new ArrayList<>();
    private final List<Victim> coordinators = new ArrayList<>();
    private final Map<Fault, Integer> faults = new EnumMap<>(Fault.class);
    private final List<ChaosReport.Outage> outages = new ArrayList<>();

    Chaos(ChaosOptions options) throws IOException {
        this.options = options;
        this.random = new Random(options.seed());
        this.directory = Files.createTempDirectory("cle-chaos-");
        this.server = RealApiServer.start();
        int port = server.uri().getPort();
        for (int i = 0; i < options.coordinators(); i++) {
            coordinators.add(new Victim(
                    "coordinator-" + i, directory, server.kubeconfig(), port, unused -> coordinatorCommand()));
        }
        for (int i = 0; i < options.workers(); i++) {
            String name = "chaos-w" + i;
            String version = "1." + i + ".0";
            workers.add(new Victim(
                    name, directory, server.kubeconfig(), port, start -> workerCommand(name + "-" + start, version)));
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

    /** Makes faults for the time that was asked for, and says what has come of it. */
    ChaosReport run() throws IOException {
        for (Victim victim : all()) {
            victim.start();
        }
        if (awaitLeader(START).isNegative()) {
            throw new IllegalStateException(
                    "there is no leader " + START + " after the start; see the logs in " + directory);
        }
        long end = System.nanoTime() + options.time().toNanos();
        while (System.nanoTime() - end < 0) {
            strike();
            pause(Duration.ofMillis(200 + random.nextInt(1800)));
        }
        heal();
        Duration healed = awaitLeader(HEALING);
        Victim leader = leader();
        for (Victim worker : workers) {
            worker.terminate();
        }
        System.out.println("the last leader was " + leader.name());
        pause(Duration.ofSeconds(2));
        return new ChaosReport(
                faults, terms(), outages, new FencedFile(directory.resolve("fenced")).tokens(), refused(), healed);
    }

    private List<Victim> all() {
        return Stream.concat(coordinators.stream(), workers.stream()).toList();
    }

    private void strike() throws IOException {
        Fault fault = KINDS.get(random.nextInt(KINDS.size()));
        Duration time = Duration.ofMillis(
                200 + (long) (random.nextDouble() * fault.longest().toMillis()));
        faults.merge(fault, 1, Integer::sum);
        if (!fault.ofProcess()) {
            System.out.println("all: " + fault.text());
            strikeServer(fault, time);
            return;
        }
        Victim victim = random.nextBoolean() ? leader() : all().get(random.nextInt(all().size()));
        System.out.println(victim.name() + ": " + fault.text() + " (" + time.toMillis() + " ms)");
        switch (fault) {
            case KILL -> {
                victim.kill();
                pause(time);
                victim.start();
            }
            case TERMINATE -> {
                victim.terminate();
                pause(time);
                victim.kill();
                victim.start();
            }
            case STOP -> {
                victim.stop();
                pause(time);
                victim.goOn();
            }
            case CUT -> victim.proxy().cut();
            case REFUSE -> {
                victim.proxy().refuse(true);
                pause(time);
                victim.proxy().refuse(false);
            }
            case STALL -> {
                victim.proxy().stall(true);
                pause(time);
                victim.proxy().stall(false);
            }
            case STRAND -> {
                victim.proxy().leadNowhere(true);
                pause(time);
                victim.proxy().leadNowhere(false);
            }
            case SLOW -> {
                victim.proxy().delay(Duration.ofMillis(random.nextInt(400)));
                pause(time);
                victim.proxy().delay(Duration.ZERO);
            }
            case API_SERVER, ETCD, COMPACT -> throw new IllegalStateException(fault + " isn't done to a process");
        }
    }

    private void strikeServer(Fault fault, Duration time) {
        if (fault == Fault.COMPACT) {
            server.compact();
            return;
        }
        long from = Worker.now();
        if (fault == Fault.ETCD) {
            server.stopEtcd();
            pause(time);
            server.startEtcd();
        } else {
            server.stopApiServer();
            pause(time);
            server.startApiServer();
        }
        outages.add(new ChaosReport.Outage(from, Worker.now()));
    }

    /** Everything is put right again. */
    private void heal() throws IOException {
        for (Victim victim : all()) {
            victim.proxy().refuse(false);
            victim.proxy().stall(false);
            victim.proxy().delay(Duration.ZERO);
            if (victim.stopped()) {
                victim.goOn();
            }
            if (!victim.running()) {
                victim.start();
            }
        }
    }

    /** How long it takes until there is a leader; negative if there is none in time. */
    private Duration awaitLeader(Duration patience) throws IOException {
        long from = Worker.now();
        while (Worker.now() - from < patience.toNanos()) {
            if (terms().stream().anyMatch(term -> term.to() > from)) {
                return Duration.ofNanos(Worker.now() - from);
            }
            pause(Duration.ofMillis(10));
        }
        return Duration.ofNanos(-1);
    }

    /** Who was found leading last. */
    private Victim leader() throws IOException {
        Victim leader = workers.get(0);
        long latest = Long.MIN_VALUE;
        for (Victim worker : workers) {
            for (RecordedTerm term :
                    TermRecorder.read(worker.identity(), directory.resolve(worker.identity() + ".terms"))) {
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
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".terms")).toList()) {
                terms.addAll(TermRecorder.read(file.getFileName().toString(), file));
            }
        }
        return terms;
    }

    private long refused() throws IOException {
        long refused = 0;
        for (Victim worker : workers) {
            try (Stream<String> lines = Files.lines(directory.resolve(worker.name() + ".log"))) {
                refused += lines.filter(line -> line.startsWith("refused ")).count();
            }
        }
        return refused;
    }

    Path directory() {
        return directory;
    }

    private static void pause(Duration time) {
        LockSupport.parkNanos(time.toNanos());
    }

    @Override
    public void close() throws IOException {
        for (Victim victim : all()) {
            victim.close();
        }
        server.close();
    }
}
