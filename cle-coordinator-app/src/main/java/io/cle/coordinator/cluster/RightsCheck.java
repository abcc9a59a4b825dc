package io.cle.coordinator.cluster;

import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

import io.cle.kubernetes.internal.access.AccessReport;
import io.cle.kubernetes.internal.access.AccessRight;
import io.cle.kubernetes.internal.access.Preflight;
import io.cle.loop.internal.BackOff;
import io.cle.loop.internal.EventLoop;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the API server whether this process has the rights that it needs, until it has, so that what is missing is said by name
 * before anything fails for want of it. Thread-safe.
 */
public final class RightsCheck {

    private static final Logger log = LoggerFactory.getLogger(RightsCheck.class);

    private final Preflight preflight;
    private final EventLoop loop;
    private final RandomGenerator random;
    private volatile List<AccessRight> rights = List.of();
    private volatile @Nullable String problem;
    private int failures;

    /** A check that asks for nothing yet. */
    public RightsCheck(Preflight preflight, EventLoop loop, RandomGenerator random) {
        this.preflight = preflight;
        this.loop = loop;
        this.random = random;
    }

    /** Asks for these rights from now on. */
    public void begin(List<AccessRight> needed) {
        rights = needed;
        check();
    }

    /** For a person: what is missing; empty when nothing is known to be. */
    public Optional<String> problem() {
        return Optional.ofNullable(problem);
    }

    private void check() {
        preflight.check(rights).thenAccept(report -> loop.deliver(() -> answered(report)));
    }

    private void answered(AccessReport report) {
        Optional<String> missing = report.problem();
        if (missing.isPresent() && !missing.get().equals(problem)) {
            log.error("{}", missing.get());
        }
        if (missing.isEmpty() && problem != null) {
            log.info("the rights that were missing have been granted");
        }
        problem = missing.orElse(null);
        if (missing.isPresent() || report.unchecked().isPresent()) {
            report.unchecked().ifPresent(why -> log.debug("{}", why));
            failures = failures + 1;
            loop.schedule(BackOff.OF_REQUESTS.after(failures, random), this::check);
        } else {
            failures = 0;
        }
    }
}
