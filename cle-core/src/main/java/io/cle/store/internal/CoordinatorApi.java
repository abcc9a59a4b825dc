package io.cle.store.internal;

import java.util.concurrent.CompletionStage;

import io.cle.ApiFormat;
import io.cle.model.Candidate;
import io.cle.model.ObjectKey;
import io.cle.model.PodRef;
import io.cle.model.internal.ApiResult;
import io.cle.model.internal.Lease;
import io.cle.model.internal.PodState;

/** All of the API that a coordinator needs, in one wire format. Thread-safe; see the package for where results arrive. */
public interface CoordinatorApi {

    /** The wire format. */
    ApiFormat format();

    /** The leases. */
    LeaseStore leases();

    /** The candidates. */
    CandidateStore candidates();

    /** Watches the managed leases of all namespaces in scope. */
    Subscription watchLeases(Watcher<Lease> watcher);

    /** Watches the candidates of all namespaces in scope. */
    Subscription watchCandidates(Watcher<Candidate> watcher);

    /** Watches the lease configurations of all namespaces in scope. */
    Subscription watchConfigurations(Watcher<LeaseConfiguration> watcher);

    /** Writes the status of a configuration. */
    CompletionStage<ApiResult<ObjectKey>> report(LeaseConfiguration configuration, ConfigurationStatus status);

    /** Reads the state of a pod (safety.md#terminated-holder). */
    CompletionStage<ApiResult<PodState>> pod(PodRef pod);

    /**
     * Records a Kubernetes Event on a lease (safety.md#reasons). Events are rate-limited, so that they never compete with elections.
     *
     * @param lease the lease it is about
     * @param warning whether it is of type {@code Warning} rather than {@code Normal}
     * @param reason a short word in camel case
     * @param message for a person
     */
    CompletionStage<ApiResult<String>> event(Lease lease, boolean warning, String reason, String message);
}
