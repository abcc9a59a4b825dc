package io.cle.lock;

import java.time.Duration;

import io.cle.model.Candidate;
import io.cle.model.ObjectKey;
import io.cle.model.Timings;
import org.jspecify.annotations.Nullable;

/**
 * What a lock needs to know.
 *
 * @param lease the lease to lead by
 * @param identity under what name to hold it; unique among the processes that stand for it
 * @param kind who decides who leads
 * @param timings the three durations
 * @param drainTimeout how long revoked work is waited for before the lease is handed over (lock's rule 4)
 * @param fallback when to race although a coordinator should elect (lock's rule 8)
 * @param candidacy what to announce; {@code null} for a direct lock, which announces nothing
 * @param takeover KEP-2835 for a direct lock; {@code null} where nobody takes precedence over a holder
 * @param renewTimeStep the smallest step that the wire format can write a renewal time in; every renewal writes another time,
 *     so that others can see it; divides a second
 */
public record LockConfig(
        ObjectKey lease,
        String identity,
        LockKind kind,
        Timings timings,
        Duration drainTimeout,
        Fallback fallback,
        @Nullable Candidacy candidacy,
        @Nullable Takeover takeover,
        Duration renewTimeStep) {

    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    /**
     * Lock's rule 8.
     *
     * @param enabled whether to race at all
     * @param delay for how long the lease must have been free or expired with nobody elected
     */
    public record Fallback(boolean enabled, Duration delay) {}

    /**
     * What a candidate announces.
     *
     * @param template the candidate as it is announced, without its times
     * @param renewInterval how often it is renewed while nobody asks (lock's rule 10)
     */
    public record Candidacy(Candidate template, Duration renewInterval) {}

    /**
     * Prioritized election on a direct lock (KEP-2835).
     *
     * @param key this candidate's key, at most 256 characters; may be empty
     * @param comparison says who takes precedence; must be quick, pure and thread-safe
     * @param timeout how long a holder that was asked to yield has to do so before it is overruled
     */
    public record Takeover(String key, KeyComparison comparison, Duration timeout) {}

    /** Nonsense is for whoever reads the configuration to refuse; here it would be a mistake of the program. */
    public LockConfig {
        if ((kind == LockKind.COORDINATED) != (candidacy != null)) {
            throw new IllegalArgumentException("a coordinated lock announces a candidate, and no other does");
        }
        if (!timings.problems().isEmpty()) {
            throw new IllegalArgumentException("unusable timings " + timings + ": " + timings.problems());
        }
        if (SECOND % renewTimeStep.toNanos() != 0) {
            throw new IllegalArgumentException(
                    "a renewal's time can't be written in steps of " + renewTimeStep + ": they must divide a second");
        }
    }
}
