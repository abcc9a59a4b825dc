package io.cle.evidence.benchmark;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.cle.evidence.process.ApiServerMetrics;
import io.cle.evidence.process.Contender;
import io.cle.evidence.process.UnixTime;
import io.cle.test.apiserver.HttpApi;
import io.cle.test.apiserver.memory.RequestCounts;
import io.cle.test.apiserver.real.RealApiServer;

/** A fresh real API server, with a coordinator if needed, on which contenders are started. */
final class Lab implements AutoCloseable {

    static final String NAMESPACE = "benchmark";

    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final Duration STEP = Duration.ofMillis(50);
    private static final String LEASES = "/apis/coordination.k8s.io/v1/";
    private static final String CANDIDATES = "/apis/coordination.cle.io/v1alpha1/leasecandidates";

    /** What a scenario needs. */
    enum Needs {
        API_SERVER,
        COORDINATOR,
        NATIVE_API_SERVER,
        AOT_CACHES,
        POSTGRESQL
    }

    private final RealApiServer server;
    private final HttpApi api;
    private final Path logs;
    private final List<Contender> contenders = new ArrayList<>();
    private List<String> candidate;
    private List<String> coordinator;

    private Lab(Options options, RealApiServer server) {
        this.candidate = java(options.candidate());
        this.coordinator = java(options.coordinator());
        this.server = server;
        this.api = server.api();
        try {
            logs = Files.createTempDirectory("cle-benchmark-");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Starts what is needed, and waits until it is ready. */
    static Lab open(Options options, Needs needs) throws InterruptedException {
        boolean kubernetesElects = needs == Needs.NATIVE_API_SERVER;
        Lab lab = new Lab(options, kubernetesElects ? RealApiServer.startNative() : RealApiServer.start());
        try {
            lab.namespace(NAMESPACE);
            if (needs == Needs.COORDINATOR) {
                lab.startCoordinator();
            } else if (needs == Needs.AOT_CACHES) {
                AotCacheScenario.train(
                        lab, AotCache.of(options.candidate(), lab.logs), AotCache.of(options.coordinator(), lab.logs));
                lab.startCoordinator();
            }
            return lab;
        } catch (RuntimeException | InterruptedException e) {
            lab.close();
            throw e;
        }
    }

    /** Sets the command, without arguments, of candidates that are started from now on. */
    void runCandidates(List<String> command) {
        candidate = command;
    }

    /** Sets the command, without arguments, of coordinators that are started from now on. */
    void runCoordinator(List<String> command) {
        coordinator = command;
    }

    /** Starts a coordinator, and waits until it coordinates. */
    Contender startCoordinator() {
        return startCoordinator(0);
    }

    /** Starts a coordinator with its page on a loopback port, and waits until it coordinates. */
    Contender startCoordinator(int port) {
        return startCoordinator(port, Map.of());
    }

    /** Like {@link #startCoordinator(int)}, with environment variables. */
    Contender startCoordinator(int port, Map<String, String> environment) {
        Contender started = coordinator(port, environment);
        await("the coordinator", () -> anyLease("coordinated-election-controller"));
        return started;
    }

    /** Starts a coordinator without a page, with environment variables; {@code KUBECONFIG} may select another API server. Doesn't wait. */
    Contender coordinator(Map<String, String> environment) {
        return coordinator(0, environment);
    }

    private Contender coordinator(int port, Map<String, String> environment) {
        List<String> command = new ArrayList<>(coordinator);
        command.addAll(List.of("--server.port=" + port, "--management.server.port=0", "--cle.api=crd"));
        // The coordinator logs to standard output, which would disturb the table.
        return start("coordinator", command, environment);
    }

    /** Starts an application with the starter. */
    Contender ours(String lease, String identity, String version, String... more) {
        return ours(Map.of(), lease, identity, version, more);
    }

    /** Starts an application with the starter and environment variables. */
    Contender ours(Map<String, String> environment, String lease, String identity, String version, String... more) {
        List<String> command = new ArrayList<>(candidate);
        command.addAll(List.of(
                "--cle.mode=kubernetes",
                "--cle.namespace=" + NAMESPACE,
                "--cle.lease-name=" + lease,
                "--cle.identity=" + identity,
                "--cle.candidate.binary-version=" + version));
        command.addAll(List.of(more));
        return start(lease + "-" + identity, command, environment);
    }

    private static List<String> java(Path jar) {
        if (!Files.isRegularFile(jar)) {
            throw new IllegalStateException("there is no " + jar + "; build the project first, and start in its root");
        }
        return List.of(java(), "-jar", jar.toString());
    }

    /** Returns the path of this process's {@code java}. */
    static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    private Contender start(String name, List<String> command, Map<String, String> environment) {
        Map<String, String> all = new HashMap<>(environment);
        all.putIfAbsent("KUBECONFIG", server.kubeconfig().toString());
        Contender contender = Contender.start(name, command, all, logs.resolve(name + ".log"));
        contenders.add(contender);
        return contender;
    }

    RealApiServer server() {
        return server;
    }

    HttpApi api() {
        return api;
    }

    /** Creates a namespace, which must not exist. */
    void namespace(String name) {
        int code = api.post("/api/v1/namespaces", parse("""
                {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "%s"}}""".formatted(name))).code();
        if (code != 201 && code != 409) {
            throw new IllegalStateException("namespace " + name + " could not be created: " + code);
        }
    }

    static JsonObject parse(String json) {
        return JsonParser.parseString(json).getAsJsonObject();
    }

    /** Returns when a lease expires according to its holder's last write, in nanoseconds since 1970. */
    long expiry(String lease) {
        JsonObject spec =
                spec(NAMESPACE, lease).orElseThrow(() -> new IllegalStateException("there is no lease " + lease));
        OffsetDateTime renewed = OffsetDateTime.parse(spec.get("renewTime").getAsString());
        return UnixTime.of(
                renewed.toInstant().plusSeconds(spec.get("leaseDurationSeconds").getAsLong()));
    }

    private Optional<JsonObject> spec(String namespace, String lease) {
        HttpApi.Reply reply = api.get(LEASES + "namespaces/" + namespace + "/leases/" + lease);
        return reply.code() == 200 ? Optional.of(reply.json().getAsJsonObject("spec")) : Optional.empty();
    }

    private boolean anyLease(String name) {
        for (JsonElement item : api.get(LEASES + "leases").json().getAsJsonArray("items")) {
            JsonObject lease = item.getAsJsonObject();
            if (lease.getAsJsonObject("metadata").get("name").getAsString().equals(name)
                    && text(lease.getAsJsonObject("spec"), "holderIdentity").isPresent()) {
                return true;
            }
        }
        return false;
    }

    /** Returns how many candidates of the crd format have a name with this prefix. */
    int candidates(String prefix) {
        int count = 0;
        for (JsonElement item : api.get(CANDIDATES).json().getAsJsonArray("items")) {
            JsonObject metadata = item.getAsJsonObject().getAsJsonObject("metadata");
            count += metadata.get("name").getAsString().startsWith(prefix) ? 1 : 0;
        }
        return count;
    }

    private static Optional<String> text(JsonObject object, String field) {
        return Optional.ofNullable(object.get(field))
                .map(JsonElement::getAsString)
                .filter(text -> !text.isEmpty());
    }

    /** Returns the requests so far. */
    RequestCounts requests() {
        return ApiServerMetrics.requests(api.get("/metrics", "text/plain").text());
    }

    /** Waits for a condition, at most a minute and a half. */
    void await(String what, BooleanSupplier ready) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!ready.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                throw new IllegalStateException(what + " isn't ready after " + PATIENCE + "; the logs are in " + logs);
            }
            LockSupport.parkNanos(STEP.toNanos());
        }
    }

    /** Ends some of the contenders. */
    void end(Contender... some) {
        for (Contender contender : some) {
            contender.close();
            contenders.remove(contender);
        }
    }

    @Override
    public void close() {
        List<Contender> left = new ArrayList<>(contenders);
        left.forEach(Contender::kill);
        left.forEach(Contender::close);
        server.close();
    }
}
