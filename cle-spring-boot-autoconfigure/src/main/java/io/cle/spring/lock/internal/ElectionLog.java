package io.cle.spring.lock.internal;

import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;

import io.cle.CoordinatedLeaseLock;
import io.cle.LeadershipListener;
import io.cle.RevokeReason;
import io.cle.Term;
import io.cle.Timings;
import io.cle.lock.internal.LeaseLines;
import io.cle.lock.internal.LockConfig;
import io.cle.model.Candidate;
import io.cle.model.LeaseGroup;
import io.cle.model.Version;
import io.cle.spring.lock.LeaseLockCustomizer;
import io.cle.spring.properties.ApiSelection;
import io.cle.spring.properties.internal.LeaseProperties;
import io.cle.spring.properties.internal.LeaseSettings;
import io.cle.spring.properties.internal.ProcessFacts.FoundVersion;
import io.cle.spring.properties.internal.Setting;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** Logs the state of this process for each lease, and every change of leadership. */
public final class ElectionLog implements LeaseLockCustomizer {

    private static final Logger log = LoggerFactory.getLogger(ElectionLog.class);

    private final Leases leases;
    private final @Nullable FoundVersion foundVersion;
    private final boolean standalone;
    private final LeaseLines lines;
    private final AtomicBoolean missingVersionIsReported = new AtomicBoolean();

    /**
     * Creates the log of an application's leases.
     *
     * @param foundVersion the version of this program where none is configured; {@code null} if there is none
     * @param factory creates the locks; {@code null} if the application has locks of its own
     * @param lines decides which leases are logged individually if the process has many
     */
    public ElectionLog(
            Leases leases, @Nullable FoundVersion foundVersion, @Nullable LeaseLockFactory factory, LeaseLines lines) {
        this.leases = leases;
        this.foundVersion = foundVersion;
        this.standalone = factory instanceof StandaloneLeaseLockFactory;
        this.lines = lines;
    }

    @Override
    public void customize(String name, CoordinatedLeaseLock lock) {
        LeaseSettings settings = leases.get(name).settings();
        if (settings != null && !settings.isFurtherShard()) {
            logHowItIsElected(settings);
        }
        lock.addListener(new Listener(name, lines));
    }

    private void logHowItIsElected(LeaseSettings lease) {
        String name = lease.commonName();
        String object = object(lease);
        if (standalone && lease.properties().candidate().enabled()) {
            log.atLevel(level("lead at once, without a cluster", name, lines))
                    .log("lease {}: leads {}at once as '{}', without a cluster", name, shards(lease), lease.identity());
            return;
        }
        if (!lease.properties().candidate().enabled()) {
            log.info("lease {}: follows {} and is never elected, because cle.candidate.enabled is false", name, object);
            return;
        }
        Timings timings = lease.timings();
        log.atLevel(level("are candidates", name, lines))
                .log(
                        "lease {}: is a candidate for {} as '{}', {}; {} lease, {} renew deadline, {} retry period: tolerates an API server"
                                + " that is away for {}, and a crash is taken over within {}",
                        name,
                        object,
                        lease.identity(),
                        kind(lease),
                        Setting.text(timings.leaseDuration()),
                        Setting.text(timings.renewDeadline()),
                        Setting.text(timings.retryPeriod()),
                        Setting.text(timings.toleratedOutage()),
                        Setting.text(timings.worstCrashFailover()));
        LockConfig.Candidacy candidacy = lease.config().candidacy();
        if (candidacy != null
                && candidacy.template().binaryVersion() == null
                && missingVersionIsReported.compareAndSet(false, true)) {
            // Once, because it is the same for all leases.
            log.warn(
                    "this program's version isn't known ({}), so it is announced without one and ranks last; set"
                            + " cle.candidate.binary-version, or have the build write its build info",
                    foundVersion == null
                            ? "neither the build info nor the manifest has one"
                            : foundVersion.describe() + " can't be read as a version such as 1.29.0");
        }
    }

    /** Returns the Lease; for a shard, those of all shards; for a lease of a group, also the group. */
    private static String object(LeaseSettings lease) {
        LeaseGroup group = lease.group();
        if (group == null) {
            return lease.lease().toString();
        }
        return group.isSharded()
                ? group.shards() + " shards (" + group + ")"
                : lease.lease() + " in the group " + group.name();
    }

    private static String shards(LeaseSettings lease) {
        return lease.shard().map(shard -> "all " + shard.count() + " shards ").orElse("");
    }

    private static Level level(String what, String lease, LeaseLines lines) {
        return lines.isShown(what, lease) ? Level.INFO : Level.DEBUG;
    }

    private static String kind(LeaseSettings lease) {
        LeaseProperties properties = lease.properties();
        String lock = properties.resourceLock().text();
        LockConfig.Candidacy candidacy = lease.config().candidacy();
        if (candidacy == null) {
            return lock;
        }
        Candidate candidate = candidacy.template();
        ApiSelection api = lease.group() == null ? properties.api() : ApiSelection.CRD;
        return lock + " (api " + api.name().toLowerCase(Locale.ROOT) + "), announces version "
                + version(candidate.binaryVersion(), candidate.compatibilityVersion()) + ", strategy "
                + candidate.strategy() + (candidate.priority() == null ? "" : ", priority " + candidate.priority());
    }

    private static String version(@Nullable Version binary, @Nullable Version compatibility) {
        String text = binary == null ? "unknown" : binary.toString();
        boolean other = compatibility != null && !compatibility.toString().equals(text);
        return other ? text + " (compatible with " + compatibility + ")" : text;
    }

    private record Listener(String name, LeaseLines lines) implements LeadershipListener {

        private Level level(String what) {
            return ElectionLog.level(what, name, lines);
        }

        @Override
        public void onGranted(Term term) {
            log.atLevel(level("lead")).log("lease {}: leads with fencing token {}", name, term.fencingToken());
        }

        @Override
        public void onRevoked(Term term, RevokeReason reason) {
            log.atLevel(level("no longer lead (" + reason + ")"))
                    .log("lease {}: no longer leads ({}), fencing token {}", name, reason, term.fencingToken());
        }

        @Override
        public void onLeaderChanged(@Nullable String holder) {
            if (holder == null) {
                log.atLevel(level("there is no leader")).log("lease {}: there is no leader", name);
            } else {
                log.atLevel(level("have a new holder")).log("lease {}: '{}' is the holder", name, holder);
            }
        }
    }
}
