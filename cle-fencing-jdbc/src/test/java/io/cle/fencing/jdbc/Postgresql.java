package io.cle.fencing.jdbc;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.cle.test.apiserver.LoopbackPorts;
import org.awaitility.Awaitility;
import org.springframework.util.FileSystemUtils;

/**
 * A PostgreSQL server for these tests and the benchmark, on a loopback port, in a temporary directory, without fsync.
 * PostgreSQL refuses to run as root; root starts it as the user {@code postgres}, which Debian's package creates. It
 * ends with this JVM.
 */
public final class Postgresql {

    /** Stops the server when the JVM ends for any reason: the shell then reads end-of-file from the JVM's pipe. */
    private static final String GUARD = "\"$@\" & read -r never; kill -QUIT $!; wait $!";

    private static final Path DEBIAN = Path.of("/usr/lib/postgresql");
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private static Postgresql shared;

    private final Path home;
    private final int port = LoopbackPorts.free();
    private final Process server;

    private Postgresql(Path programs) throws IOException, InterruptedException {
        home = Files.createTempDirectory("cle-postgresql-");
        Files.setPosixFilePermissions(home, PosixFilePermissions.fromString("rwxrwxrwx"));
        String data = home.resolve("data").toString();
        Process init = start(List.of(
                programs.resolve("initdb").toString(), "-D", data, "-A", "trust", "-U", "postgres", "--no-sync"));
        if (!init.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS) || init.exitValue() != 0) {
            throw new IllegalStateException("initdb failed: " + log());
        }
        server = start(List.of(
                "/bin/sh",
                "-c",
                GUARD,
                "guard",
                programs.resolve("postgres").toString(),
                "-D",
                data,
                "-p",
                String.valueOf(port),
                "-k",
                home.toString(),
                "-c",
                "listen_addresses=127.0.0.1",
                "-c",
                "fsync=off",
                "-c",
                "track_commit_timestamp=on"));
        Runtime.getRuntime().addShutdownHook(new Thread(this::stop));
        Awaitility.await()
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(50))
                .until(() -> !server.isAlive() || accepts());
        if (!server.isAlive()) {
            throw new IllegalStateException("PostgreSQL has ended: " + log());
        }
    }

    /**
     * Returns whether PostgreSQL is installed; fails if it isn't and {@code CLE_REQUIRE_POSTGRESQL} is {@code true}.
     */
    public static boolean available() {
        boolean available = programs().isPresent();
        if (!available && "true".equals(System.getenv("CLE_REQUIRE_POSTGRESQL"))) {
            throw new IllegalStateException("CLE_REQUIRE_POSTGRESQL is true, and " + DEBIAN + " has no PostgreSQL");
        }
        return available;
    }

    /** Returns this JVM's server, with an initially empty database {@code postgres}. */
    public static synchronized Postgresql shared() {
        if (shared == null) {
            try {
                shared = new Postgresql(programs().orElseThrow());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(e);
            }
        }
        return shared;
    }

    public String url() {
        return "jdbc:postgresql://127.0.0.1:" + port + "/postgres?user=postgres";
    }

    private static Optional<Path> programs() {
        if (!Files.isDirectory(DEBIAN)) {
            return Optional.empty();
        }
        try (Stream<Path> versions = Files.list(DEBIAN)) {
            return versions.map(version -> version.resolve("bin"))
                    .filter(programs -> Files.isExecutable(programs.resolve("initdb")))
                    .max(Comparator.comparing(Path::toString));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Process start(List<String> command) throws IOException {
        List<String> whole = new ArrayList<>();
        if ("root".equals(System.getProperty("user.name"))) {
            whole.addAll(List.of("runuser", "-u", "postgres", "--"));
        }
        whole.addAll(command);
        return new ProcessBuilder(whole)
                .directory(home.toFile())
                .redirectErrorStream(true)
                .redirectOutput(
                        ProcessBuilder.Redirect.appendTo(home.resolve("log").toFile()))
                .start();
    }

    private boolean accepts() {
        try (Connection connection = DriverManager.getConnection(url())) {
            return connection.isValid(1);
        } catch (SQLException e) {
            return false;
        }
    }

    private String log() throws IOException {
        return Files.readString(home.resolve("log"));
    }

    private void stop() {
        try {
            server.getOutputStream().close();
            server.waitFor(10, TimeUnit.SECONDS);
            FileSystemUtils.deleteRecursively(home);
        } catch (IOException | InterruptedException e) {
            server.destroyForcibly();
        }
    }
}
