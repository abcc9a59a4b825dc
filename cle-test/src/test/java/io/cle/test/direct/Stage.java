package io.cle.test.direct;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

import io.cle.ResourceLock;
import io.cle.Timings;
import io.cle.lock.internal.LockConfig.Takeover;
import io.cle.model.ObjectKey;
import io.cle.test.apiserver.HttpApi;
import org.jspecify.annotations.Nullable;

import static org.assertj.core.api.Assertions.assertThat;

/** One record, its candidates, and an observer that checks every millisecond whether two lead. */
final class Stage implements AutoCloseable {

    private static final String NAMESPACE = "default";

    private final Server server;
    private final Timings timings;
    private final ObjectKey key =
            new ObjectKey(NAMESPACE, "shared-" + UUID.randomUUID().toString().substring(0, 8));
    private final Map<String, BooleanSupplier> electors = new LinkedHashMap<>();
    private final List<Runnable> closings = new ArrayList<>();
    private final ScheduledExecutorService checker = Executors.newSingleThreadScheduledExecutor();
    private volatile @Nullable List<String> overlap;

    /**
     * Creates a stage; its record doesn't exist yet.
     *
     * @param timings of our electors
     */
    Stage(Server server, Timings timings) {
        this.server = server;
        this.timings = timings;
        checker.scheduleWithFixedDelay(this::check, 0, 1, TimeUnit.MILLISECONDS);
    }

    private void check() {
        List<String> leaders = leaders();
        if (leaders.size() > 1) {
            overlap = leaders;
        }
    }

    synchronized ClientJavaElector clientJava(ResourceLock kind, String identity) {
        ClientJavaElector elector = ClientJavaElector.start(server, kind, key, identity);
        closings.add(elector::close);
        electors.put(identity, elector::works);
        return elector;
    }

    OurElector ours(ResourceLock kind, String identity) {
        return ours(kind, identity, null);
    }

    synchronized OurElector ours(ResourceLock kind, String identity, @Nullable Takeover takeover) {
        OurElector elector = OurElector.start(server, kind, key, identity, timings, takeover);
        closings.add(elector::close);
        electors.put(identity, elector::leads);
        return elector;
    }

    /** Returns the electors that lead at this instant. */
    synchronized List<String> leaders() {
        return electors.entrySet().stream()
                .filter(elector -> elector.getValue().getAsBoolean())
                .map(Map.Entry::getKey)
                .toList();
    }

    /** Reads the record of a kind. */
    SharedRecord read(ResourceLock kind) {
        return SharedRecord.read(server.api(), kind, key);
    }

    /** Writes the Lease with a merge patch, as an administrator does; creates it if it doesn't exist. */
    void holdLease(String holder, Duration duration, Instant renewed) {
        String path = "/apis/coordination.k8s.io/v1/namespaces/" + key.namespace() + "/leases";
        String time = DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'")
                .withZone(ZoneOffset.UTC)
                .format(renewed);
        String spec = "{\"holderIdentity\":\"" + holder + "\",\"leaseDurationSeconds\":" + duration.toSeconds()
                + ",\"renewTime\":\"" + time + "\"}";
        HttpApi.Reply patched =
                server.api().patch(path + "/" + key.name(), "application/merge-patch+json", "{\"spec\":" + spec + "}");
        if (patched.code() == 404) {
            patched = server.api()
                    .postText(
                            path,
                            "{\"apiVersion\":\"coordination.k8s.io/v1\",\"kind\":\"Lease\",\"metadata\":{\"name\":\""
                                    + key.name() + "\"},\"spec\":" + spec + "}");
        }
        assertThat(patched.code()).as(patched.toString()).isBetween(200, 201);
    }

    /** Fails if two have led at the same instant. */
    void assertNoOverlap() {
        assertThat(overlap).as("those who led at the same instant").isNull();
    }

    @Override
    public void close() {
        checker.shutdownNow();
        closings.forEach(Runnable::run);
    }
}
