package io.cle.evidence.peers.measure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.cle.test.apiserver.LoopbackPorts;

/**
 * A PostgreSQL of one's own on a port of the loopback interface, without fsync, as etcd here. It refuses to run as root, and then runs as the
 * user {@code postgres}, whom Debian's package creates.
 */
final class Postgres implements AutoCloseable {

    private static final Path DEBIAN = Path.of("/usr/lib/postgresql");

    private final Path programs;
    private final Path home;
    private final int port = LoopbackPorts.free();

    private Postgres(Path programs) throws IOException {
        this.programs = programs;
        home = Files.createTempDirectory("peers-postgres-");
        Files.setPosixFilePermissions(home, PosixFilePermissions.fromString("rwxrwxrwx"));
        run("initdb", "-D", data(), "-A", "trust", "-U", "postgres", "--no-sync");
        start();
    }

    /** The directory of its programs: {@code PEERS_POSTGRES}, or where Debian's packages have the newest; empty if there is none. */
    static Optional<Path> programs() {
        String given = System.getenv("PEERS_POSTGRES");
        if (given != null) {
            return Optional.of(Path.of(given));
        }
        if (!Files.isDirectory(DEBIAN)) {
            return Optional.empty();
        }
        try (Stream<Path> versions = Files.list(DEBIAN)) {
            return versions.filter(version -> Files.isExecutable(version.resolve("bin/initdb")))
                    .max(Comparator.comparingInt(version ->
                            Integer.parseInt(DEBIAN.relativize(version).toString())))
                    .map(version -> version.resolve("bin"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Starts one with an empty database. */
    static Postgres open(Path programs) {
        try {
            return new Postgres(programs);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    int port() {
        return port;
    }

    /** Starts it, and waits until it can be used. */
    void start() {
        run("pg_ctl", "-D", data(), "-l", data() + "/log", "-w", "start", "-o", options());
    }

    /** Ten replicas have a pool of ten connections each, which is all that there are by default. */
    private String options() {
        return "-p " + port + " -k " + home + " -c listen_addresses=127.0.0.1 -c fsync=off -c max_connections=200";
    }

    /** Ends it as a crash does. */
    void stop() {
        run("pg_ctl", "-D", data(), "-m", "immediate", "stop");
    }

    /** How many transactions there were so far. */
    long transactions() {
        String count = run(
                "psql",
                "-h",
                "127.0.0.1",
                "-p",
                String.valueOf(port),
                "-U",
                "postgres",
                "-At",
                "-c",
                "select sum(xact_commit + xact_rollback) from pg_stat_database where datname = 'postgres'");
        return Long.parseLong(count.strip());
    }

    private String data() {
        return home.resolve("data").toString();
    }

    private String run(String program, String... arguments) {
        List<String> command = new ArrayList<>();
        if ("root".equals(System.getProperty("user.name"))) {
            command.addAll(List.of("runuser", "-u", "postgres", "--"));
        }
        command.add(programs.resolve(program).toString());
        command.addAll(List.of(arguments));
        try {
            // To a file: the server that pg_ctl starts would keep a pipe open.
            Path output = Files.createTempFile(home, program, ".out");
            Process process = new ProcessBuilder(command)
                    .directory(home.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
            boolean ended = process.waitFor(60, TimeUnit.SECONDS);
            String text = Files.readString(output, StandardCharsets.UTF_8);
            if (!ended || process.exitValue() != 0) {
                process.destroyForcibly();
                throw new IllegalStateException(command + " has failed" + (ended ? "" : " to end") + ": " + text);
            }
            return text;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while " + command + " ran", e);
        }
    }

    /** Ends it and removes its data. */
    @Override
    public void close() {
        stop();
        try (Stream<Path> files = Files.walk(home)) {
            files.sorted(Comparator.reverseOrder())
                    .forEach(file -> file.toFile().delete());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
