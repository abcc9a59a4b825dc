package io.cle.test.simulation.internal.nemesis;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;

import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import io.cle.kubernetes.internal.codec.RecordJson;
import io.cle.kubernetes.internal.json.Json;
import io.cle.kubernetes.internal.transport.ApiRequest;
import io.cle.test.apiserver.store.Metadata;
import io.cle.test.simulation.internal.process.History;
import io.cle.test.simulation.internal.process.VirtualProcess;
import io.cle.test.simulation.internal.process.VirtualTime;
import io.cle.test.simulation.internal.server.Network;
import io.cle.test.simulation.scenario.Scenario;
import org.jspecify.annotations.Nullable;

/**
 * An admission webhook for leases. Now and then it is down: the API server fails every write of a lease, and answers every read; or it drops
 * the annotations of every lease that is written. Checks that no process writes again and again meanwhile (safety.md#unknown-outcome,
 * safety.md#write-that-stays).
 */
public final class AdmissionWebhook implements Network.Admission {

    private static final long SECOND = 1_000_000_000L;

    /** Back-off is reset when a term ends, and a conflict has none. */
    private static final int WRITES_AT_ONCE = 20;

    private final Scenario scenario;
    private final VirtualTime time;
    private final SplittableRandom random;
    private final Network network;
    private final Consumer<String> violations;
    private final History history;
    private final Map<Writer, Integer> writes = new HashMap<>();
    private Mode mode = Mode.ADMITS;
    private long since;
    private boolean over;

    /** What it does with a lease that is written. */
    private enum Mode {
        ADMITS,
        FAILS,
        DROPS_ANNOTATIONS
    }

    /**
     * A process that writes a lease: a coordinator writes that of the coordinators, too.
     *
     * @param creates whether it creates the lease
     */
    private record Writer(VirtualProcess process, String lease, boolean creates) {}

    /**
     * A webhook that is up.
     *
     * @param violations receives the violations of processes
     */
    public AdmissionWebhook(
            Scenario scenario,
            VirtualTime time,
            SplittableRandom random,
            Network network,
            Consumer<String> violations,
            History history) {
        this.scenario = scenario;
        this.time = time;
        this.random = random;
        this.network = network;
        this.violations = violations;
        this.history = history;
    }

    /** Reviews every write of a lease from now on. At times, for up to four lease durations, it admits none unchanged. */
    public void begin() {
        network.admission(this);
        failSoon();
    }

    private void failSoon() {
        time.after(random.nextLong(20 * SECOND), () -> {
            if (!over) {
                mode = random.nextBoolean() ? Mode.FAILS : Mode.DROPS_ANNOTATIONS;
                history.line("webhook", mode.toString());
                since = time.now();
                writes.clear();
                time.after(
                        random.nextLong(4 * scenario.timings().leaseDuration().toNanos()), () -> {
                            admitAll();
                            failSoon();
                        });
            }
        });
    }

    /** Admits everything from now on. */
    public void end() {
        admitAll();
        over = true;
    }

    private void admitAll() {
        mode = Mode.ADMITS;
        history.line("webhook", mode.toString());
    }

    @Override
    public @Nullable ApiRequest admitted(VirtualProcess process, ApiRequest request) {
        if (mode == Mode.ADMITS
                || !request.verb().writes()
                || !request.resource().equals(scenario.kind().resource())) {
            return request;
        }
        boolean creates = request.verb() == ApiRequest.Verb.CREATE;
        String lease = creates
                ? Metadata.name(Objects.requireNonNull(request.body(), "of a creation"))
                : Objects.requireNonNull(request.name(), "of a write");
        int sent = writes.merge(new Writer(process, lease, creates), 1, Integer::sum);
        long retryPeriods =
                (time.now() - since) / scenario.timings().retryPeriod().toNanos();
        if (sent > WRITES_AT_ONCE + 2 * retryPeriods) {
            violations.accept(process.name() + " has written a lease " + sent + " times in " + retryPeriods
                    + " retry periods in which no write succeeded");
        }
        return mode == Mode.FAILS ? null : withoutAnnotations(request);
    }

    /** Keeps only client-go's record, which is the lease. */
    private static ApiRequest withoutAnnotations(ApiRequest request) {
        JsonObject body = Objects.requireNonNull(request.body(), "of a write").deepCopy();
        if (body.get("metadata") instanceof JsonObject metadata
                && metadata.get("annotations") instanceof JsonObject annotations) {
            for (String name : Set.copyOf(annotations.keySet())) {
                if (!name.equals(RecordJson.RECORD)) {
                    annotations.add(name, JsonNull.INSTANCE);
                }
            }
        }
        return new ApiRequest(
                request.verb(),
                request.resource(),
                request.namespace(),
                request.name(),
                request.query(),
                request.verb() == ApiRequest.Verb.CREATE ? Json.withoutNulls(body) : body,
                request.timeout());
    }
}
