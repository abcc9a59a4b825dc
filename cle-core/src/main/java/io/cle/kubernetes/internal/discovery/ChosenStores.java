package io.cle.kubernetes.internal.discovery;

import java.util.function.Consumer;

import io.cle.kubernetes.internal.store.KubernetesApis;
import io.cle.runtime.internal.lock.LockStores;
import io.cle.store.internal.Subscription;

/** The stores of coordinated locks, in the format that is chosen. */
public record ChosenStores(FormatChoice choice, KubernetesApis apis) implements LockStores.Source {

    @Override
    public Subscription use(Consumer<LockStores> chosen, Consumer<String> problem) {
        return choice.use(
                kind -> chosen.accept(new LockStores(apis.leases(kind.format()), apis.candidates(kind))), problem);
    }

    @Override
    public void doubt() {
        choice.doubt();
    }
}
