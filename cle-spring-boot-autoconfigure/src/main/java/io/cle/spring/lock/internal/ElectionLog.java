package io.cle.spring.lock.internal;

import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;

import io.cle.CoordinatedLeaseLock;
import io.cle.Timings;
import io.cle.lock.internal.LockConfig;
import io.cle.loop.internal.LeaseLines;
import io.cle.model.Candidate;
import io.cle.model.LeaseGroup;
import io.cle.model.Version;
import io.cle.spring.lock.LeaseLockCustomizer;
import io.cle.spring.properties.internal.LeaseSettings;
import io.cle.spring.properties.internal.ProcessFacts;
import io.cle.spring.properties.internal.ProcessFacts.FoundVersion;
import io.cle.spring.properties.internal.Setting;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** Logs how each lease of this process is elected in a cluster. Warns once for all leases if the version or the pod of this process isn't known. */
public final class ElectionLog implements LeaseLockCustomizer {

    private static final Logger log = LoggerFactory.getLogger(ElectionLog.class);

    private final Leases leases;
    private final ProcessFacts facts;
    private final boolean inPod;
    private final boolean standalone;
    private final LeaseLines lines;
    private final AtomicBoolean missingVersionIsReported = new AtomicBoolean();
    private final AtomicBoolean missingPodIsReported = new AtomicBoolean();

    /**
     * Creates the log of an application's leases.
     *
     * @param inPod whether this process runs in a pod
     * @param factory creates the locks; {@code null} if the application has locks of its own
     * @param lines summarizes the log of many leases
     */
    public ElectionLog(
            Leases leases, ProcessFacts facts, boolean inPod, @Nullable LeaseLockFactory factory, LeaseLines lines) {
        this.leases = leases;
        this.facts = facts;
        this.inPod = inPod;
        this.standalone = factory instanceof StandaloneLeaseLockFactory;
        this.lines = lines;
    }

    @Override
    public void customize(String name, CoordinatedLeaseLock lock) {
        LeaseSettings settings = leases.get(name).settings();
        if (!standalone && settings != null && !settings.isFurtherShard()) {
            logHowItIsElected(settings);
        }
    }

    private void logHowItIsElected(LeaseSettings lease) {
        String name = lease.commonName();
        String object = object(lease);
        if (!lease.properties().candidate().enabled()) {
            log.info("Lease {}: follows {} and is never elected, because cle.candidate.enabled is false", name, object);
            return;
        }
        Timings timings = lease.timings();
        lines.log(
                Level.INFO,
                "have this process as a candidate",
                name,
                "is a candidate for " + object + " as '" + lease.identity() + "', " + kind(lease) + "; "
                        + Setting.text(timings.leaseDuration()) + " lease, "
                        + Setting.text(timings.renewDeadline()) + " renew deadline, "
                        + Setting.text(timings.retryPeriod())
                        + " retry period: tolerates an API server outage of "
                        + Setting.text(timings.toleratedOutage()) + ", and fails over from a crash within "
                        + Setting.text(timings.worstCrashFailover()));
        LockConfig.Candidacy candidacy = lease.config().candidacy();
        LockConfig.Takeover takeover = lease.config().takeover();
        String key = lease.properties().candidate().key();
        boolean lacksVersion = candidacy == null
                ? takeover != null && key == null && takeover.key().isEmpty()
                : candidacy.template().binaryVersion() == null;
        if (takeover != null
                && !takeover.key().isEmpty()
                && !takeover.comparison().takesPrecedence(takeover.key(), "")) {
            log.warn(
                    "Lease {}: the key '{}' can't be compared by cle.candidate.key-comparison = '{}', so this process ranks last; set a"
                            + " key that can be, or another comparison",
                    name,
                    takeover.key(),
                    lease.properties().candidate().comparedBy());
        }
        if (lacksVersion && missingVersionIsReported.compareAndSet(false, true)) {
            FoundVersion foundVersion = facts.version();
            log.warn(
                    "This program's version isn't known ({}), so this process ranks last; set"
                            + " cle.candidate.binary-version, or have the build write its build info",
                    foundVersion == null
                            ? "neither the build info nor the manifest has one"
                            : foundVersion.describe() + " can't be read as a version such as 1.29.0");
        }
        if (candidacy != null && inPod && facts.pod() == null && missingPodIsReported.compareAndSet(false, true)) {
            log.warn(
                    "This process runs in a pod, but POD_NAME, POD_UID and POD_NAMESPACE aren't all set: Kubernetes won't remove its"
                            + " candidates with the pod, and the coordinator can't see that the pod has ended, so that a crash of the leader"
                            + " costs a whole lease duration. Set them by the downward API (fieldRef metadata.name, metadata.uid,"
                            + " metadata.namespace), as in cle-coordinator-app/deploy/application/deployment.yaml");
        }
    }

    /** Describes the Lease; for a shard, all shards of its lease; for a lease of a group, also the group. */
    private static String object(LeaseSettings lease) {
        LeaseGroup group = lease.group();
        if (group == null) {
            return lease.lease().toString();
        }
        return group.isSharded()
                ? group.shards() + " shards (" + group + ")"
                : lease.lease() + " in the group " + group.name();
    }

    private static String kind(LeaseSettings lease) {
        String lock = lease.properties().resourceLock().text();
        LockConfig.Candidacy candidacy = lease.config().candidacy();
        if (candidacy == null) {
            return lock;
        }
        Candidate candidate = candidacy.template();
        return lock + " (api " + lease.api().name().toLowerCase(Locale.ROOT) + "), announces version "
                + version(candidate.binaryVersion(), candidate.compatibilityVersion()) + ", strategy "
                + candidate.strategy() + (candidate.priority() == null ? "" : ", priority " + candidate.priority());
    }

    private static String version(@Nullable Version binary, @Nullable Version compatibility) {
        String text = binary == null ? "unknown" : binary.toString();
        boolean other = compatibility != null && !compatibility.toString().equals(text);
        return other ? text + " (compatible with " + compatibility + ")" : text;
    }
}
