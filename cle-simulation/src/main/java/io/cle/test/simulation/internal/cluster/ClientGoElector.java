package io.cle.test.simulation.internal.cluster;

import java.time.Duration;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Consumer;

import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import io.cle.Timings;
import io.cle.kubernetes.internal.transport.ApiRequest;
import io.cle.kubernetes.internal.transport.ApiRequest.Verb;
import io.cle.kubernetes.internal.transport.ApiResponse;
import io.cle.kubernetes.internal.transport.ResourceType;
import io.cle.loop.internal.EventLoop;
import io.cle.model.ObjectKey;
import io.cle.test.apiserver.resource.MicroTime;
import io.cle.test.apiserver.store.Metadata;
import io.cle.test.simulation.internal.process.VirtualProcess;
import io.cle.test.simulation.internal.server.SimulatedTransport;
import org.jspecify.annotations.Nullable;

/**
 * client-go's elector on a Lease ({@code tools/leaderelection}), as client-go implements it: it polls, judges expiry by when it saw the record
 * change, keeps leading until its renew deadline whatever it sees, measures that deadline from the beginning of a round of renewing, and keeps
 * unknown annotations. In half of the cases, it is configured to release the lease at the end of its term.
 */
public final class ClientGoElector extends Contender {

    private static final double JITTER = 1.2;
    private static final int NOT_FOUND = 404;

    private final SimulatedTransport transport;
    private final Timings timings;
    private final SplittableRandom random;
    private final EventLoop loop;
    private final boolean releases;
    private boolean leading;
    private long token;
    private long stored;
    private boolean resigning;
    private @Nullable JsonObject observed;
    private long observedAt;
    private long roundEndsAt;

    ClientGoElector(
            ObjectKey lease,
            String identity,
            VirtualProcess process,
            SimulatedTransport transport,
            Timings timings,
            SplittableRandom random) {
        super(lease, identity, process);
        this.transport = transport;
        this.timings = timings;
        this.random = random;
        this.loop = process.loop();
        this.releases = random.nextBoolean();
    }

    void start() {
        tryAcquireOrRenew(this::acquired);
    }

    @Override
    public void resign() {
        resigning = true;
    }

    private void acquired(boolean success) {
        if (!success) {
            long jittered = (long) (timings.retryPeriod().toNanos() * (1 + random.nextDouble() * JITTER));
            loop.schedule(Duration.ofNanos(jittered), this::start);
            return;
        }
        leading = true;
        token = stored;
        renewRound();
    }

    private void renewRound() {
        roundEndsAt = loop.clock().nanos() + timings.renewDeadline().toNanos();
        long current = roundEndsAt;
        loop.schedule(timings.renewDeadline(), () -> {
            if (leading && roundEndsAt == current) {
                end();
            }
        });
        renew(current);
    }

    private void renew(long round) {
        tryAcquireOrRenew(success -> {
            if (!leading || roundEndsAt != round) {
                return;
            }
            if (resigning) {
                end();
            } else if (success) {
                roundEndsAt = Long.MIN_VALUE;
                loop.schedule(timings.retryPeriod(), this::renewRound);
            } else {
                loop.schedule(timings.retryPeriod(), () -> {
                    if (leading && roundEndsAt == round) {
                        renew(round);
                    }
                });
            }
        });
    }

    private void end() {
        leading = false;
        resigning = false;
        if (!releases) {
            loop.schedule(timings.retryPeriod(), this::start);
            return;
        }
        request(Verb.GET, null, answer -> {
            if (answer != null && identity().equals(holder(answer))) {
                JsonObject release = record("", 1, now(), now(), transitions(answer));
                request(Verb.PATCH, versioned(release, answer), unused -> {});
            }
            loop.schedule(timings.retryPeriod(), this::start);
        });
    }

    private void tryAcquireOrRenew(Consumer<Boolean> then) {
        send(Verb.GET, null, response -> {
            if (!(response instanceof ApiResponse.Answered answered)) {
                then.accept(false);
            } else if (answered.status() == NOT_FOUND) {
                JsonObject created = record(identity(), seconds(), now(), now(), 0);
                JsonObject metadata = new JsonObject();
                metadata.addProperty("name", lease().name());
                metadata.addProperty("namespace", lease().namespace());
                created.add("metadata", metadata);
                request(Verb.CREATE, created, stored -> then.accept(stored != null));
            } else if (!answered.ok()) {
                then.accept(false);
            } else {
                takeOrRenew(answered.body(), then);
            }
        });
    }

    private void takeOrRenew(JsonObject present, Consumer<Boolean> then) {
        JsonObject spec = Metadata.child(present, "spec");
        if (!spec.equals(observed)) {
            observed = spec;
            observedAt = loop.clock().nanos();
        }
        String holder = holder(present);
        boolean mine = identity().equals(holder);
        long validFor = spec.has("leaseDurationSeconds")
                ? Duration.ofSeconds(spec.get("leaseDurationSeconds").getAsLong())
                        .toNanos()
                : 0;
        if (!holder.isEmpty() && !mine && observedAt + validFor > loop.clock().nanos()) {
            then.accept(false);
            return;
        }
        String acquired =
                mine && spec.has("acquireTime") ? spec.get("acquireTime").getAsString() : now();
        int transitions = transitions(present) + (mine ? 0 : 1);
        JsonObject next = record(identity(), seconds(), acquired, now(), transitions);
        request(Verb.PATCH, versioned(next, present), stored -> {
            if (stored != null) {
                observed = Metadata.child(stored, "spec");
                observedAt = loop.clock().nanos();
            }
            then.accept(stored != null);
        });
    }

    /** Replaces the whole spec, as an update does; annotations stay, as they are sent back. */
    private static JsonObject record(String holder, long seconds, String acquired, String renewed, int transitions) {
        JsonObject spec = new JsonObject();
        spec.addProperty("holderIdentity", holder);
        spec.addProperty("leaseDurationSeconds", seconds);
        spec.addProperty("acquireTime", acquired);
        spec.addProperty("renewTime", renewed);
        spec.addProperty("leaseTransitions", transitions);
        spec.add("strategy", JsonNull.INSTANCE);
        spec.add("preferredHolder", JsonNull.INSTANCE);
        JsonObject object = new JsonObject();
        object.add("spec", spec);
        return object;
    }

    private static JsonObject versioned(JsonObject patch, JsonObject read) {
        JsonObject metadata = new JsonObject();
        metadata.add("resourceVersion", Metadata.of(read).get("resourceVersion"));
        patch.add("metadata", metadata);
        return patch;
    }

    private void request(Verb verb, @Nullable JsonObject body, Consumer<@Nullable JsonObject> then) {
        send(verb, body, response -> {
            if (response instanceof ApiResponse.Answered answered && answered.ok()) {
                stored = Metadata.version(answered.body());
                then.accept(answered.body());
            } else {
                then.accept(null);
            }
        });
    }

    private void send(Verb verb, @Nullable JsonObject body, Consumer<ApiResponse> then) {
        ApiRequest request = new ApiRequest(
                verb,
                ResourceType.LEASES,
                lease().namespace(),
                verb == Verb.CREATE ? null : lease().name(),
                Map.of(),
                body,
                timings.renewDeadline().dividedBy(2));
        transport.send(request).thenAccept(response -> loop.execute(() -> then.accept(response)));
    }

    private static String holder(JsonObject object) {
        return Metadata.text(Metadata.child(object, "spec"), "holderIdentity");
    }

    private static int transitions(JsonObject object) {
        return Metadata.child(object, "spec").get("leaseTransitions") instanceof JsonPrimitive count
                ? count.getAsInt()
                : 0;
    }

    private long seconds() {
        return timings.leaseDuration().toSeconds();
    }

    private String now() {
        return MicroTime.format(loop.clock().wall());
    }

    @Override
    public boolean leads() {
        return leading;
    }

    @Override
    public long token() {
        return leading ? token : 0;
    }

    @Override
    public long drainTimeout() {
        return 0;
    }

    @Override
    public boolean ours() {
        return false;
    }
}
