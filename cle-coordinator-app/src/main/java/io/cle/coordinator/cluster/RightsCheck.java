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
 * Checks repeatedly whether this process has the rights that it needs, until it has all, so that missing rights are named before requests
 * fail. Thread-safe.
 */
public final class RightsCheck {

    private static final Logger log = LoggerFactory.getLogger(RightsCheck.class);

    private final Preflight preflight;
    private final EventLoop loop;
    private final RandomGenerator random;
    private volatile List<AccessRight> rights = List.of();
    private volatile @Nullable String problem;
    private int failures;

    /** Creates a check that sends nothing yet. */
    public RightsCheck(Preflight preflight, EventLoop loop, RandomGenerator random) {
        this.preflight = preflight;
        this.loop = loop;
        this.random = random;
    }

    /** Begins to check these rights. */
    public void begin(List<AccessRight> needed) {
        rights = needed;
        check();
    }

    /** Describes the missing rights; empty if none is known to be missing. */
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
            log.info("the missing rights have been granted");
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
