package io.cle.lock.internal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import io.cle.KeyComparison;
import io.cle.ResourceLock;
import io.cle.Timings;
import io.cle.model.Candidate;
import io.cle.model.LeaseGroup;
import io.cle.model.ObjectKey;
import io.cle.model.internal.Names;
import io.cle.model.internal.PrintableText;
import io.cle.strategy.BuiltInStrategy;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of a lock.
 * Rule: {@code protocol.md#objects}.
 *
 * @param lease the lease
 * @param identity the holder identity; unique among the candidates
 * @param timings the three durations
 * @param drainTimeout how long to wait for the work of an ended term before the lease is handed over ({@code safety.md#drain-before-release})
 * @param fallback when to race although a coordinator should elect ({@code safety.md#fallback-race})
 * @param candidacy what to announce; {@code null} for a direct lock, which announces nothing
 * @param takeover prioritized election (KEP-2835) for a direct lock; {@code null} without it
 * @param renewTimeStep the resolution of renew times in the wire format; divides a second. Every renewal writes another
 *     time, so that other processes can detect it
 */
public record LockConfig(
        ObjectKey lease,
        String identity,
        Timings timings,
        Duration drainTimeout,
        Fallback fallback,
        @Nullable Candidacy candidacy,
        @Nullable Takeover takeover,
        Duration renewTimeStep) {

    /** The value of {@code elected-by} after a hand-over to a successor that the application named. */
    public static final String HANDED_OVER = "candidate-hand-over";

    /** Advice for a lease for which no candidate is elected. */
    static final String CHECK_COORDINATOR =
            "Check that a coordinator runs and is healthy, that it watches this namespace"
                    + " (cle.coordinator.namespaces), and what its /actuator/elections says of the lease";

    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    /**
     * When candidates race for a lease that no coordinator elects for ({@code safety.md#fallback-race}).
     *
     * @param enabled whether candidates race for the lease when no coordinator elects
     * @param delay for how long the lease must have been free or expired without an election
     */
    public record Fallback(boolean enabled, Duration delay) {}

    /**
     * What a candidate announces.
     *
     * @param template the candidate as it is announced, without its times
     * @param renewInterval how often it is renewed without a ping ({@code protocol.md#requests-and-limits})
     */
    public record Candidacy(Candidate template, Duration renewInterval) {

        /** Returns the validity of a candidate that is renewed at this interval: one renewal may fail (KEP-4355). */
        public static Duration validityOf(Duration renewInterval) {
            return renewInterval.multipliedBy(2);
        }
    }

    /**
     * Prioritized election on a direct lock (KEP-2835).
     *
     * @param key this candidate's key, at most 256 characters; may be empty
     * @param comparison decides which key takes precedence; must be quick, pure and thread-safe
     * @param timeout how long a holder has to yield after it was asked to, before it is preempted
     */
    public record Takeover(String key, KeyComparison comparison, Duration timeout) {}

    /** Rejects values that the reader of the configuration should have rejected. */
    public LockConfig {
        Optional<String> ofIdentity = Names.problemOfIdentity(identity);
        if (ofIdentity.isPresent()) {
            throw new IllegalArgumentException(
                    "the identity '" + PrintableText.text(identity) + "' " + ofIdentity.get());
        }
        if (candidacy != null && takeover != null) {
            throw new IllegalArgumentException(
                    "a key takes precedence on a direct lock only; a coordinator ranks candidates");
        }
        requireUsable("lease duration", timings.leaseDuration());
        requireUsable("renew deadline", timings.renewDeadline());
        requireUsable("retry period", timings.retryPeriod());
        requireUsable("drain timeout", drainTimeout);
        requireUsable("fallback delay", fallback.delay());
        if (!timings.problems().isEmpty()) {
            throw new IllegalArgumentException("unusable timings " + timings + ": "
                    + timings.problems().stream()
                            .map(problem ->
                                    problem.first() + " " + problem.rule().formatted(problem.second()))
                            .toList());
        }
        if (SECOND % renewTimeStep.toNanos() != 0) {
            throw new IllegalArgumentException(
                    "the resolution of renew times is " + renewTimeStep + ", and must divide a second");
        }
    }

    /** Returns the configuration of a lock that races for a Lease, without a coordinator and without prioritized election. */
    public static LockConfig racing(ObjectKey lease, String identity, Timings timings, Duration drainTimeout) {
        return new LockConfig(
                lease,
                identity,
                timings,
                drainTimeout,
                new Fallback(false, Duration.ZERO),
                null,
                null,
                renewTimeStepOf(ResourceLock.LEASES));
    }

    /** Returns the resolution of renew times: microseconds in a Lease (Kubernetes' MicroTime), seconds in the legacy records (its Time). */
    public static Duration renewTimeStepOf(ResourceLock record) {
        return switch (record) {
            case COORDINATEDLEASES, LEASES -> Duration.ofNanos(1_000);
            case ENDPOINTS, CONFIGMAPS -> Duration.ofSeconds(1);
        };
    }

    /** Whether a coordinator elects among announced candidates (KEP-4355); otherwise processes race for the record, as client-go's do. */
    public boolean coordinated() {
        return candidacy != null;
    }

    /** Returns the group that the lease belongs to; {@code null} if none. */
    public @Nullable LeaseGroup group() {
        return candidacy == null ? null : candidacy.template().group();
    }

    /** Describes the settings that only a coordinator uses: the priority, and a strategy other than the default; empty if there are none. */
    public String wishesOfACoordinator() {
        List<String> wishes = new ArrayList<>();
        if (candidacy != null) {
            Candidate candidate = candidacy.template();
            boolean byDefault = candidate.strategy().equals(BuiltInStrategy.OLDEST_COMPATIBILITY_VERSION.wireName())
                    || candidate.strategy().equals(BuiltInStrategy.NO_COORDINATION.wireName());
            if (!byDefault) {
                wishes.add("the strategy " + candidate.strategy());
            }
            if (candidate.priority() != null) {
                wishes.add("the priority " + candidate.priority());
            }
        }
        return String.join(", ", wishes);
    }

    /** Describes why candidates wait for a coordinator indefinitely. */
    String nobodyRaces() {
        LeaseGroup group = group();
        if (group == null) {
            return "nobody races for the lease, because the fallback is switched off";
        }
        return group.isSharded() ? "nobody races for a shard" : "nobody races for a lease of a group";
    }

    private static void requireUsable(String what, Duration duration) {
        if (duration.isNegative() || duration.compareTo(Timings.LONGEST) > 0) {
            throw new IllegalArgumentException(
                    "the " + what + " of " + duration + " must be between 0 and " + Timings.LONGEST.toDays() + " days");
        }
    }
}
