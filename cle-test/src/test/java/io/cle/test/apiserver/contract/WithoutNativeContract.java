package io.cle.test.apiserver.contract;

import com.google.gson.JsonObject;
import io.cle.test.apiserver.HttpApi.Reply;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** How a server without native coordinated leader election handles its API. */
public abstract class WithoutNativeContract extends ContractPart {

    protected WithoutNativeContract(ContractSubject subject) {
        super(subject);
    }

    /** The fields are unknown, and silently dropped. */
    @Test
    void strategyAndPreferredHolderOfALeaseAreDropped() {
        JsonObject lease = lease("a");
        lease.getAsJsonObject("spec").addProperty("strategy", "OldestEmulationVersion");
        lease.getAsJsonObject("spec").addProperty("preferredHolder", "two");

        Reply created = api().post(leases(), lease);

        assertThat(created.code()).isEqualTo(201);
        assertThat(created.spec().has("strategy")).isFalse();
        assertThat(created.spec().has("preferredHolder")).isFalse();
    }

    /** The resource is neither in discovery nor at its path. */
    @Test
    void nativeCandidatesAreNotServed() {
        String group = "/apis/coordination.k8s.io/v1beta1";
        assertThat(api().get(group + "/namespaces/" + namespace() + "/leasecandidates")
                        .code())
                .isEqualTo(404);
        Reply version = api().get(group);
        assertThat(version.text()).doesNotContain("leasecandidates");
    }
}
