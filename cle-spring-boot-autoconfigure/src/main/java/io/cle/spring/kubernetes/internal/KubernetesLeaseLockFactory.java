package io.cle.spring.kubernetes.internal;

import java.util.concurrent.CompletionStage;

import io.cle.OwnedLock;
import io.cle.lock.internal.LockConfig;
import io.cle.model.Candidate;
import io.cle.model.ObjectKey;
import io.cle.model.PodRef;
import io.cle.model.internal.ApiResult;
import io.cle.runtime.internal.lock.Entropy;
import io.cle.runtime.internal.lock.LeaseLock;
import io.cle.runtime.internal.lock.LockThreads;
import io.cle.spring.lock.internal.LeaseLockFactory;
import io.cle.spring.lock.internal.StandaloneLeaseLockFactory;
import io.cle.spring.properties.internal.CandidateSettings;
import io.cle.spring.properties.internal.LeaseSettings;
import org.jspecify.annotations.Nullable;

/**
 * Makes locks on leases in a cluster.
 *
 * @param cluster where the leases are
 * @param threads are shared by all its locks
 * @param pod the pod that owns the candidates, where it is known
 * @param takeovers who may take a direct lock over
 */
public record KubernetesLeaseLockFactory(
        ClusterClient cluster,
        LockThreads threads,
        @Nullable PodRef pod,
        TakeoverFactory takeovers) implements LeaseLockFactory {

    @Override
    public OwnedLock create(LeaseSettings settings) {
        return StandaloneLeaseLockFactory.followingIfDisabled(
                settings, new LeaseLock(config(settings), cluster.stores(settings), Entropy.system(), threads));
    }

    @Override
    public CompletionStage<Boolean> delete(LeaseSettings settings) {
        return cluster.delete(settings).thenApply(result -> {
            if (result instanceof ApiResult.Ok<Boolean> ok) {
                return ok.value();
            }
            throw new IllegalStateException(
                    "the Lease " + settings.lease() + " can't be deleted: " + result.describe());
        });
    }

    /** The settings of a lease in the words of the core. */
    private LockConfig config(LeaseSettings settings) {
        boolean coordinated = settings.resourceLock().coordinated();
        return new LockConfig(
                settings.lease(),
                settings.identity(),
                settings.timings(),
                settings.drainTimeout(),
                new LockConfig.Fallback(settings.fallbackEnabled(), settings.fallbackDelay()),
                coordinated ? candidacy(settings) : null,
                takeovers.of(settings),
                LockConfig.renewTimeStepOf(settings.resourceLock()));
    }

    private LockConfig.Candidacy candidacy(LeaseSettings settings) {
        CandidateSettings candidate = settings.candidate();
        ObjectKey key = new ObjectKey(settings.lease().namespace(), settings.identity());
        return new LockConfig.Candidacy(
                Candidate.builder(key, settings.lease())
                        .binaryVersion(candidate.binaryVersion())
                        .compatibilityVersion(candidate.compatibilityVersion())
                        .priority(candidate.priority())
                        .strategy(candidate.strategy())
                        .validity(candidate.validity())
                        .pod(owner(key, candidate.container()))
                        .build(),
                candidate.renewInterval());
    }

    /** Only a pod of the candidate's own namespace can own it. */
    private @Nullable PodRef owner(ObjectKey candidate, @Nullable String container) {
        return pod != null && pod.key().namespace().equals(candidate.namespace())
                ? new PodRef(pod.key(), pod.uid(), container)
                : null;
    }
}
