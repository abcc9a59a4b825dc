package io.cle.spring.lock.internal;

import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;

import io.cle.lock.RevokeReason;
import io.cle.lock.Term;
import io.cle.model.Timings;
import io.cle.model.Version;
import io.cle.runtime.CoordinatedLeaseLock;
import io.cle.runtime.LeadershipListener;
import io.cle.runtime.internal.lock.StandaloneLock;
import io.cle.spring.lock.LeaseLockCustomizer;
import io.cle.spring.properties.CandidateSettings;
import io.cle.spring.properties.LeaseSettings;
import io.cle.spring.properties.internal.ProcessFacts.FoundVersion;
import io.cle.spring.properties.internal.Setting;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs the state of this process for each lease, and every change of leadership. */
public final class ElectionLog implements LeaseLockCustomizer {

    private static final Logger log = LoggerFactory.getLogger(ElectionLog.class);

    private final ElectionSettings settings;
    private final @Nullable FoundVersion foundVersion;
    private final AtomicBoolean missingVersionIsReported = new AtomicBoolean();

    /**
     * Logs for the leases of an application.
     *
     * @param foundVersion the version of this program where none is configured; {@code null} if there is none
     */
    public ElectionLog(ElectionSettings settings, @Nullable FoundVersion foundVersion) {
        this.settings = settings;
        this.foundVersion = foundVersion;
    }

    @Override
    public void customize(String name, CoordinatedLeaseLock lock) {
        settings.find(name).ifPresent(lease -> logHowItIsElected(lease, lock));
        lock.addListener(new Listener(name));
    }

    private void logHowItIsElected(LeaseSettings lease, CoordinatedLeaseLock lock) {
        if (lock instanceof StandaloneLock) {
            log.info("lease {}: leads at once as '{}', without a cluster", lease.name(), lease.identity());
            return;
        }
        Timings timings = lease.timings();
        log.info(
                "lease {}: is a candidate for {} as '{}', {}; {} lease, {} renew deadline, {} retry period: tolerates an API server"
                        + " that is away for {}, and a crash is taken over within {}",
                lease.name(),
                lease.lease(),
                lease.identity(),
                kind(lease),
                Setting.text(timings.leaseDuration()),
                Setting.text(timings.renewDeadline()),
                Setting.text(timings.retryPeriod()),
                Setting.text(timings.toleratedOutage()),
                Setting.text(timings.worstCrashFailover()));
        if (lease.resourceLock().coordinated() && lease.candidate().binaryVersion() == null) {
            reportMissingVersion();
        }
    }

    /** Once, because it is the same for all leases. */
    private void reportMissingVersion() {
        if (missingVersionIsReported.compareAndSet(false, true)) {
            log.warn(
                    "this program's version isn't known ({}), so it is announced without one and ranks last; set"
                            + " cle.candidate.binary-version, or have the build write its build info",
                    foundVersion == null
                            ? "neither the build info nor the manifest has one"
                            : foundVersion.describe() + " can't be read as a version such as 1.29.0");
        }
    }

    private static String kind(LeaseSettings lease) {
        String lock = lease.resourceLock().name().toLowerCase(Locale.ROOT);
        if (!lease.resourceLock().coordinated()) {
            return lock;
        }
        CandidateSettings candidate = lease.candidate();
        return lock + " (api " + lease.api().name().toLowerCase(Locale.ROOT) + "), version "
                + version(candidate.binaryVersion(), candidate.compatibilityVersion()) + ", strategy "
                + candidate.strategy() + (candidate.priority() == null ? "" : ", priority " + candidate.priority());
    }

    private static String version(@Nullable Version binary, @Nullable Version compatibility) {
        String text = binary == null ? "unknown" : binary.toString();
        boolean other = compatibility != null && !compatibility.toString().equals(text);
        return other ? text + " (compatible with " + compatibility + ")" : text;
    }

    private record Listener(String name) implements LeadershipListener {

        @Override
        public void onGranted(Term term) {
            log.info("lease {}: leads with fencing token {}", name, term.fencingToken());
        }

        @Override
        public void onRevoked(Term term, RevokeReason reason) {
            log.info("lease {}: no longer leads ({}), fencing token {}", name, reason, term.fencingToken());
        }

        @Override
        public void onLeaderChanged(@Nullable String holder) {
            if (holder == null) {
                log.info("lease {}: there is no leader", name);
            } else {
                log.info("lease {}: '{}' is the holder", name, holder);
            }
        }
    }
}
