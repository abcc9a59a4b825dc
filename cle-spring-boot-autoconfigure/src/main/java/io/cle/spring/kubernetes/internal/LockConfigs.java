package io.cle.spring.kubernetes.internal;

import java.time.Duration;

import io.cle.lock.LockConfig;
import io.cle.lock.LockKind;
import io.cle.model.Candidate;
import io.cle.model.ObjectKey;
import io.cle.model.PodRef;
import io.cle.spring.properties.CandidateSettings;
import io.cle.spring.properties.LeaseSettings;
import io.cle.spring.properties.ResourceLock;
import org.jspecify.annotations.Nullable;

/** Puts the settings of a lease into the words of the core. */
final class LockConfigs {

    /** Lease objects keep micro-seconds (Kubernetes' MicroTime). */
    private static final Duration LEASE_TIME_STEP = Duration.ofNanos(1_000);

    /** The legacy records keep seconds (Kubernetes' Time). */
    private static final Duration RECORD_TIME_STEP = Duration.ofSeconds(1);

    private LockConfigs() {}

    static LockConfig of(LeaseSettings settings, @Nullable PodRef pod, Takeovers takeovers) {
        boolean coordinated = settings.resourceLock().coordinated();
        return new LockConfig(
                settings.lease(),
                settings.identity(),
                coordinated ? LockKind.COORDINATED : LockKind.DIRECT,
                settings.timings(),
                settings.drainTimeout(),
                new LockConfig.Fallback(settings.fallbackEnabled(), settings.fallbackDelay()),
                coordinated ? candidacy(settings, pod) : null,
                takeovers.of(settings),
                timeStep(settings.resourceLock()));
    }

    private static Duration timeStep(ResourceLock lock) {
        return switch (lock) {
            case COORDINATEDLEASES, LEASES -> LEASE_TIME_STEP;
            case ENDPOINTS, CONFIGMAPS -> RECORD_TIME_STEP;
        };
    }

    private static LockConfig.Candidacy candidacy(LeaseSettings settings, @Nullable PodRef pod) {
        CandidateSettings candidate = settings.candidate();
        ObjectKey key = new ObjectKey(settings.lease().namespace(), settings.identity());
        boolean podOwnsIt = pod != null && pod.key().namespace().equals(key.namespace());
        return new LockConfig.Candidacy(
                Candidate.builder(key, settings.lease())
                        .binaryVersion(candidate.binaryVersion())
                        .compatibilityVersion(candidate.compatibilityVersion())
                        .priority(candidate.priority())
                        .strategy(candidate.strategy())
                        .validity(candidate.validity())
                        .pod(podOwnsIt ? pod : null)
                        .build(),
                candidate.renewInterval());
    }
}
