package io.cle.evidence.peers.measure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;

import com.google.gson.JsonParser;
import io.cle.evidence.process.ApiServerMetrics;
import io.cle.evidence.process.Contender;
import io.cle.evidence.process.Event;
import io.cle.evidence.process.Pause;
import io.cle.evidence.process.Proxy;
import io.cle.evidence.process.UnixTime;
import io.cle.test.apiserver.HttpApi;
import io.cle.test.apiserver.memory.RequestCounts;
import io.cle.test.apiserver.real.RealApiServer;
import org.jspecify.annotations.Nullable;

/** A fresh API server, a fresh PostgreSQL where a contestant needs it, and the replicas that run on them. Confined to one thread. */
final class Arena implements AutoCloseable {

    /** How long is waited for anything that must happen. */
    static final Duration PATIENCE = Duration.ofMinutes(3);

    private static final String NAMESPACE = "peers";
    private static final Duration STEP = Duration.ofMillis(20);
    private static final String LEASES = "/apis/coordination.k8s.io/v1/leases";

    private final Options options;
    private final RealApiServer server = RealApiServer.start();
    private final @Nullable Postgres postgres;
    private final List<Replica> replicas = new CopyOnWriteArrayList<>();
    private @Nullable Contender coordinator;
    private boolean closed;

    Arena(Options options) {
        this.options = options;
        Runtime.getRuntime().addShutdownHook(new Thread(this::close, "arena-end"));
        postgres = options.contestants().stream().anyMatch(Contestant::needsDatabase)
                ? Postgres.programs().map(Postgres::open).orElse(null)
                : null;
        server.api().post("/api/v1/namespaces", JsonParser.parseString("""
                {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "%s"}}""".formatted(NAMESPACE)));
        if (postgres != null) {
            createTables();
        }
    }

    /** By Spring Integration's own script, which an application runs at its start. */
    private void createTables() {
        Replica creator = start(
                Contestant.SPRING_INTEGRATION,
                "tables",
                "creator",
                "",
                "--spring.sql.init.mode=always",
                "--spring.sql.init.schema-locations=classpath:org/springframework/integration/jdbc/schema-postgresql.sql");
        await("Spring Integration with its tables", creator::leads);
        endAll();
    }

    /** Whose turn it is in a trial, in this order; another one begins each time. */
    List<Contestant> contestants(int trial) {
        List<Contestant> order = new ArrayList<>(options.contestants());
        order.removeIf(contestant -> contestant.needsDatabase() && postgres == null);
        Collections.rotate(order, -trial);
        return order;
    }

    /** Starts a process. */
    Replica start(Contestant contestant, String lease, String identity, String version, String... more) {
        try {
            int port = contestant.needsDatabase()
                    ? postgres().port()
                    : server.uri().getPort();
            Proxy proxy = new Proxy(Proxy.RouteBy.BACKEND, List.of(port));
            String name = lease + "-" + identity;
            Path kubeconfig = options.directory().resolve(name + ".kubeconfig");
            Files.writeString(
                    kubeconfig,
                    Files.readString(server.kubeconfig()).replace(server.url(), "https://127.0.0.1:" + proxy.port()));
            List<String> command = java(contestant.jar());
            command.addAll(contestant.arguments(NAMESPACE, lease, identity, version));
            if (contestant.needsDatabase()) {
                command.add("--spring.datasource.url=jdbc:postgresql://127.0.0.1:" + proxy.port() + "/postgres");
                command.add("--spring.datasource.username=postgres");
            }
            command.addAll(List.of(more));
            Path log = options.directory().resolve(name + ".log");
            Files.deleteIfExists(log);
            Contender process = Contender.start(name, command, Map.of("KUBECONFIG", kubeconfig.toString()), log);
            Replica replica = new Replica(process, proxy, log);
            replicas.add(replica);
            return replica;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Starts the coordinator of this project, and waits until it coordinates. */
    void startCoordinator() {
        List<String> command = java(options.coordinator());
        command.addAll(List.of(
                "--server.port=0", "--management.server.port=0", "--cle.namespace=" + NAMESPACE, "--cle.api=crd"));
        coordinator = Contender.start(
                "coordinator",
                command,
                Map.of("KUBECONFIG", server.kubeconfig().toString()),
                options.directory().resolve("coordinator.log"));
        // It creates the lease of its own election when it has won it.
        await("the coordinator", () -> api().get(LEASES).text().contains("coordinated-election-controller"));
    }

    private static List<String> java(Path jar) {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        return new ArrayList<>(List.of(java, "-jar", jar.toString()));
    }

    HttpApi api() {
        return server.api();
    }

    /** The database. */
    Postgres postgres() {
        if (postgres == null) {
            throw new IllegalStateException(
                    "there is no PostgreSQL: set PEERS_POSTGRES to the directory of its programs");
        }
        return postgres;
    }

    /** The requests so far. */
    RequestCounts requests() {
        return ApiServerMetrics.requests(api().get("/metrics", "text/plain").text());
    }

    /** Ends the API server, and the database. */
    void stopServers() {
        server.stopApiServer();
        if (postgres != null) {
            postgres.stop();
        }
    }

    /** Starts the API server again; returns when it first answered a request for leases, in nanoseconds since 1970. It is ready some time later. */
    long startApiServer() {
        CompletableFuture<Long> answers = CompletableFuture.supplyAsync(() -> {
            await("the API server", this::answers);
            return UnixTime.now();
        });
        server.startApiServer();
        return answers.join();
    }

    private boolean answers() {
        try {
            return api().within(Duration.ofSeconds(1)).get(LEASES).code() == 200;
        } catch (UncheckedIOException e) {
            // It doesn't listen yet, or waits for etcd.
            return false;
        }
    }

    void startDatabase() {
        if (postgres != null) {
            postgres.start();
        }
    }

    /**
     * Waits for something.
     *
     * @throws IllegalStateException if it hasn't come within {@link #PATIENCE}
     */
    void await(String what, BooleanSupplier ready) {
        if (!comes(ready, PATIENCE)) {
            throw new IllegalStateException(
                    what + " isn't there after " + PATIENCE + "; the logs are in " + options.directory());
        }
    }

    /** Waits for something; false if it hasn't come in time. */
    static boolean comes(BooleanSupplier ready, Duration patience) {
        long deadline = System.nanoTime() + patience.toNanos();
        try {
            while (!ready.getAsBoolean()) {
                if (System.nanoTime() - deadline > 0) {
                    return false;
                }
                Pause.of(STEP);
            }
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    /** Ends all replicas, and keeps what they have printed. */
    void endAll() {
        StringBuilder printed = new StringBuilder();
        for (Replica replica : replicas) {
            replica.kill();
            for (Event event : replica.process().events()) {
                printed.append(replica.process().name() + "," + event.nanos() + "," + event.what() + "\n");
            }
        }
        replicas.clear();
        try {
            Files.writeString(
                    options.directory().resolve("events.csv"),
                    printed,
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        endAll();
        if (coordinator != null) {
            coordinator.close();
        }
        if (postgres != null) {
            postgres.close();
        }
        server.close();
    }
}
