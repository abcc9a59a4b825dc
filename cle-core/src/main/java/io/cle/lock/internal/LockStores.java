package io.cle.lock.internal;

import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

import io.cle.ApiFormat;
import io.cle.kubernetes.internal.client.CandidateClient;
import io.cle.kubernetes.internal.client.GroupLeases;
import io.cle.kubernetes.internal.client.LeaseClient;
import io.cle.kubernetes.internal.client.ObjectClient;
import io.cle.kubernetes.internal.discovery.FormatChoice;
import io.cle.kubernetes.internal.transport.ResourceType;
import io.cle.model.LeaseGroup;
import io.cle.store.internal.LeaseApi;
import io.cle.store.internal.Subscription;
import org.jspecify.annotations.Nullable;

/**
 * The stores of a lock: its lease, and its candidate.
 *
 * @param candidates {@code null} for a direct lock, and while no candidates are served
 * @param reason why no candidates are served, for a person; {@code null} if they are, and for a direct lock
 */
public record LockStores(
        LeaseApi leases,
        @Nullable CandidateClient candidates,
        @Nullable String reason) {

    /** Creates the stores of a direct lock, or of a coordinated one whose candidates are served. */
    public LockStores(LeaseApi leases, @Nullable CandidateClient candidates) {
        this(leases, candidates, null);
    }

    /** Returns the stores of a coordinated lock while no candidates are served. */
    public static LockStores withoutCandidates(LeaseApi leases, String reason) {
        return new LockStores(leases, null, reason);
    }

    /**
     * Supplies a coordinated lock with stores of the format that is served. If no candidates are served, leases are written in the crd format,
     * so that the lock keeps its lease when the CRD is installed.
     *
     * @param application the application's name, a label of the Leases that have none; {@code null} for no label
     */
    public static Source chosenBy(FormatChoice choice, ObjectClient client, @Nullable String application) {
        LeaseApi annotated = LeaseClient.of(client, ApiFormat.CRD, application);
        LeaseApi coordinatedByKubernetes = LeaseClient.of(client, ApiFormat.NATIVE, application);
        return chosenBy(
                choice,
                kind -> kind.map(served -> new LockStores(
                                served.format() == ApiFormat.NATIVE ? coordinatedByKubernetes : annotated,
                                new CandidateClient(client, served)))
                        .orElseGet(() -> withoutCandidates(annotated, choice.reason())));
    }

    /**
     * Supplies the locks of a group with the stores that they share: one watch delivers all of their leases.
     *
     * @param choice between the crd format and no candidates: a candidate of the native format can lead one lease only
     * @param application see {@link #chosenBy(FormatChoice, ObjectClient, String)}
     */
    public static Source ofGroup(
            FormatChoice choice, ObjectClient client, @Nullable String application, LeaseGroup group) {
        LeaseApi leases = new GroupLeases(LeaseClient.of(client, ApiFormat.CRD, application), group);
        return chosenBy(
                choice,
                kind -> kind.map(served -> new LockStores(leases, new CandidateClient(client, served)))
                        .orElseGet(() -> withoutCandidates(
                                leases,
                                (group.isSharded() ? "shards" : "groups of leases") + " need the CRD LeaseCandidate; "
                                        + choice.reason())));
    }

    private static Source chosenBy(FormatChoice choice, Function<Optional<ResourceType>, LockStores> stores) {
        return new Source() {
            @Override
            public Subscription use(Consumer<LockStores> chosen, Consumer<String> problem) {
                return choice.use(kind -> chosen.accept(stores.apply(kind)), problem);
            }

            @Override
            public void doubt() {
                choice.doubt();
            }
        };
    }

    /** Supplies a lock with its stores at each start. */
    public interface Source {

        /**
         * Supplies stores as soon as they are known, and replaces them if they can't be used any more or if candidates are newly served. The store
         * of leases stays the same if possible. Calls both consumers on the lock's loop.
         *
         * @param chosen receives the stores
         * @param problem receives the reason why none can be supplied, each time it is found
         * @return ends the supply
         */
        Subscription use(Consumer<LockStores> chosen, Consumer<String> problem);

        /** Called when a request has failed: the API server may no longer serve the format of the stores. */
        default void doubt() {}
    }

    /** Returns a source that supplies these stores at once and never replaces them. */
    public Source always() {
        return (chosen, problem) -> {
            chosen.accept(this);
            return () -> {};
        };
    }
}
