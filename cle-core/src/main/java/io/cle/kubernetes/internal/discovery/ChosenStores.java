package io.cle.kubernetes.internal.discovery;

import java.util.Optional;
import java.util.function.Consumer;

import io.cle.ApiFormat;
import io.cle.kubernetes.internal.client.KubernetesApis;
import io.cle.kubernetes.internal.transport.ResourceType;
import io.cle.lock.internal.LockStores;
import io.cle.store.internal.Subscription;

/**
 * Supplies coordinated locks with stores of the chosen format. If no candidates are served, leases are written in the crd format, so that a lock keeps
 * its lease when the CRD is installed.
 */
public record ChosenStores(FormatChoice choice, KubernetesApis apis) implements LockStores.Source {

    @Override
    public Subscription use(Consumer<LockStores> chosen, Consumer<String> problem) {
        return choice.use(kind -> chosen.accept(stores(kind)), problem);
    }

    private LockStores stores(Optional<ResourceType> kind) {
        return kind.map(served -> new LockStores(apis.leases(served.format()), apis.candidates(served)))
                .orElseGet(() -> LockStores.withoutCandidates(apis.leases(ApiFormat.CRD), choice.reason()));
    }

    @Override
    public void doubt() {
        choice.doubt();
    }
}
