package io.cle.spring.kubernetes.internal;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;

import io.cle.CoordinatedLeaseLock;
import io.cle.InvalidConfigurationException;
import io.cle.loop.internal.EventLoop;
import io.cle.model.LeaseGroup;
import io.cle.spring.kubernetes.CandidatePriority;
import io.cle.spring.lock.LeaseLockCustomizer;
import io.cle.spring.lock.internal.Lease;
import io.cle.spring.lock.internal.Leases;
import io.cle.spring.properties.internal.LeaseSettings;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Announces the priorities that a {@link CandidatePriority} bean supplies. Thread-safe. */
public final class AnnouncedPriorities implements LeaseLockCustomizer, AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(AnnouncedPriorities.class);

    private static final Duration SHORTEST = Duration.ofSeconds(1);

    private final CandidatePriority source;
    private final Leases all;
    private final Duration interval;
    private final EventLoop loop;
    private final Executor threads;
    private final Map<String, Announced> leases = new ConcurrentHashMap<>();

    /**
     * Creates an object that announces nothing yet; {@link #customize} adds leases.
     *
     * @param all the leases of the application; the shards of one have one candidate, and so one priority
     * @param interval the delay between two calls of the bean
     * @param loop has the timers
     * @param threads may block
     * @throws InvalidConfigurationException if the interval is shorter than a second
     */
    public AnnouncedPriorities(
            CandidatePriority source, Leases all, Duration interval, EventLoop loop, Executor threads) {
        if (interval.compareTo(SHORTEST) < 0) {
            throw new InvalidConfigurationException(
                    "cle.candidate.priority-interval",
                    interval.toString(),
                    "it must be at least a second",
                    "Leave it out for 30 s.");
        }
        this.source = source;
        this.all = all;
        this.interval = interval;
        this.loop = loop;
        this.threads = threads;
    }

    @Override
    public void customize(String name, CoordinatedLeaseLock lock) {
        Optional<Lease> lease = all.find(name);
        Optional<String> group = lease.map(Lease::settings)
                .map(LeaseSettings::group)
                .filter(of -> !of.isSharded())
                .map(LeaseGroup::name);
        boolean isFurtherShard =
                lease.flatMap(Lease::shard).filter(shard -> shard.index() > 0).isPresent();
        boolean isFurtherOfGroup =
                group.isPresent() && leases.values().stream().anyMatch(announced -> announced.name.equals(group.get()));
        if (isFurtherShard || isFurtherOfGroup) {
            return;
        }
        String commonName = group.or(() -> lease.map(Lease::commonName)).orElse(name);
        Integer first = source.of(commonName);
        lock.announcePriority(first);
        Announced announced = new Announced(commonName, lock, first);
        leases.put(name, announced);
        announced.askLater();
    }

    @Override
    public void dropped(String name) {
        Announced announced = leases.remove(name);
        if (announced != null) {
            announced.end();
        }
    }

    @Override
    public void close() {
        leases.keySet().forEach(this::dropped);
    }

    /** The priority of one lease. */
    private final class Announced {
        private final String name;
        private final CoordinatedLeaseLock lock;
        private @Nullable Integer announced;
        private @Nullable Integer lastAnswer;
        private boolean ended;
        private EventLoop.@Nullable Timer timer;

        Announced(String name, CoordinatedLeaseLock lock, @Nullable Integer announced) {
            this.name = name;
            this.lock = lock;
            this.announced = announced;
            this.lastAnswer = announced;
        }

        synchronized void askLater() {
            if (!ended) {
                timer = loop.schedule(interval, () -> threads.execute(this::ask));
            }
        }

        synchronized void end() {
            ended = true;
            if (timer != null) {
                timer.cancel();
            }
        }

        /** Calls the bean without holding the monitor, because the bean may block. */
        private void ask() {
            try {
                answered(source.of(name));
            } catch (RuntimeException | Error e) {
                // Errors too, such as a missing class: otherwise the bean would not be called again.
                log.warn("lease {}: the CandidatePriority bean failed; the announced priority stays", name, e);
            }
            askLater();
        }

        private synchronized void answered(@Nullable Integer answer) {
            boolean twice = Objects.equals(answer, lastAnswer);
            lastAnswer = answer;
            if (!ended && twice && !Objects.equals(answer, announced)) {
                log.info("lease {}: announces the priority {} instead of {}", name, answer, announced);
                announced = answer;
                lock.announcePriority(answer);
            }
        }
    }
}
