package io.cle.lock.internal;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

import io.cle.Timings;
import io.cle.lock.internal.LockMachine.Action;
import io.cle.lock.internal.LockMachine.Event;
import io.cle.model.ObjectKey;
import io.cle.model.internal.ApiResult;
import io.cle.model.internal.Lease;
import io.cle.model.internal.Moment;
import org.jspecify.annotations.Nullable;

/** Runs several lock machines on one in-memory record in virtual time. Watch events and answers arrive at once. */
final class Race {

    static final ObjectKey LEASE = new ObjectKey("shop", "orders");
    private static final Duration TICK = Duration.ofMillis(10);

    private final Map<String, LockConfig> configs = new LinkedHashMap<>();
    private final Map<String, LockState> states = new LinkedHashMap<>();
    private final List<String> story = new ArrayList<>();
    private @Nullable Lease record;
    private int version = 100;
    private long random;
    private long nanos;

    static LockConfig direct(String identity, LockConfig.@Nullable Takeover takeover) {
        return direct(identity, takeover, Duration.ofNanos(1000));
    }

    static LockConfig direct(String identity, LockConfig.@Nullable Takeover takeover, Duration renewTimeStep) {
        return new LockConfig(
                LEASE,
                identity,
                Timings.DEFAULT,
                Duration.ofSeconds(30),
                new LockConfig.Fallback(false, Duration.ZERO),
                null,
                takeover,
                renewTimeStep);
    }

    Race join(LockConfig config) {
        configs.put(config.identity(), config);
        states.put(config.identity(), LockState.initial());
        step(config.identity(), new Event.WatchOpened());
        see(config.identity());
        step(config.identity(), new Event.Start("n" + configs.size()));
        return this;
    }

    Race leave(String identity) {
        step(identity, new Event.Stop());
        return this;
    }

    /** Crashes a process. */
    Race crash(String identity) {
        configs.remove(identity);
        states.remove(identity);
        return this;
    }

    Race write(Lease.Builder lease) {
        store(lease.build());
        return this;
    }

    @Nullable
    Lease record() {
        return record;
    }

    /** Copies a process with its memory, as when a machine is cloned or restored twice. */
    Race copy(String process, String name) {
        configs.put(name, Objects.requireNonNull(configs.get(process)));
        states.put(name, Objects.requireNonNull(states.get(process)));
        return this;
    }

    /** Runs until at most one process leads; returns for how long more than one did. */
    Duration runUntilOneLeads(Duration atMost) {
        long begin = nanos;
        while (leaders().size() > 1 && nanos - begin < atMost.toNanos()) {
            tick();
        }
        return Duration.ofNanos(nanos - begin);
    }

    private void tick() {
        nanos += TICK.toNanos();
        for (String identity : List.copyOf(states.keySet())) {
            LockState state = states.get(identity);
            if (state != null && state.wakeAt() <= nanos) {
                step(identity, new Event.Tick());
            }
        }
    }

    Race run(Duration time) {
        long end = nanos + time.toNanos();
        while (nanos < end) {
            tick();
            if (leaders().size() > 1) {
                throw new AssertionError("two lead at " + nanos + ": " + leaders());
            }
        }
        return this;
    }

    List<String> leaders() {
        return states.entrySet().stream()
                .filter(entry -> entry.getValue().leads(now()))
                .map(Map.Entry::getKey)
                .collect(Collectors.toList());
    }

    List<String> story() {
        return story;
    }

    private Moment now() {
        return new Moment(nanos, Instant.EPOCH.plusNanos(nanos));
    }

    private void see(String identity) {
        Event event = record == null ? new Event.LeaseMissing(null) : new Event.LeaseSeen(record, true);
        step(identity, event);
    }

    private void store(Lease lease) {
        record = lease.toBuilder().resourceVersion(String.valueOf(++version)).build();
        List.copyOf(states.keySet()).forEach(this::see);
    }

    private void step(String identity, Event event) {
        LockConfig config = configs.get(identity);
        LockState state = states.get(identity);
        if (config == null || state == null) {
            return;
        }
        LockMachine.Outcome transition = LockMachine.step(config, state, event, now(), ++random);
        states.put(identity, transition.state());
        transition.actions().forEach(action -> carryOut(identity, action));
    }

    private void carryOut(String identity, Action action) {
        if (action instanceof Action.WriteLease write) {
            String expected = record == null ? null : record.resourceVersion();
            if (!Objects.equals(expected, write.desired().resourceVersion())) {
                step(identity, new Event.WriteDone(new ApiResult.Conflict<>("changed")));
                return;
            }
            store(write.desired());
            step(identity, new Event.WriteDone(new ApiResult.Ok<>(Objects.requireNonNull(record))));
        } else if (action instanceof Action.ReadLease) {
            step(identity, new Event.ReadDone(new ApiResult.Ok<>(Optional.ofNullable(record))));
        } else if (action instanceof Action.Grant) {
            story.add(identity + " leads");
        } else if (action instanceof Action.Revoke revoke) {
            story.add(identity + " revoked: " + revoke.reason());
            step(identity, new Event.Drained(revoke.term().fencingToken()));
        } else if (action instanceof Action.Report report) {
            story.add(identity + " reports: " + report.message());
        } else if (action instanceof Action.RequestFailed failed) {
            story.add(identity + " reports: " + failed.message());
        }
    }
}
