package io.cle.test.apiserver.contract;

import com.google.gson.JsonObject;
import io.cle.test.apiserver.HttpApi.Reply;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Deleting objects. */
abstract class DeletionContract extends ContractPart {

    DeletionContract(ContractSubject subject) {
        super(subject);
    }

    @Test
    void deletionSucceedsOnce() {
        Reply created = api().post(leases(), lease("a"));

        Reply deleted = api().delete(leases() + "/a");

        assertThat(deleted.code()).isEqualTo(200);
        assertThat(deleted.at("status")).isEqualTo("Success");
        JsonObject details = deleted.json().getAsJsonObject("details");
        assertThat(details.get("name").getAsString()).isEqualTo("a");
        assertThat(details.get("kind").getAsString()).isEqualTo("leases");
        assertThat(details.get("uid")).isEqualTo(created.metadata().get("uid"));
        assertThat(api().delete(leases() + "/a").code()).isEqualTo(404);
    }

    @Test
    void deletionHasPreconditions() {
        Reply created = api().post(leases(), lease("a"));
        String uid = created.at("metadata.uid");

        Reply otherUid = api().delete(leases() + "/a", json("{\"preconditions\": {\"uid\": \"another\"}}"));
        Reply otherVersion = api().delete(leases() + "/a", json("{\"preconditions\": {\"resourceVersion\": \"1\"}}"));
        Reply right = api().delete(
                        leases() + "/a",
                        json("{\"preconditions\": {\"uid\": \"%s\", \"resourceVersion\": \"%s\"}}"
                                .formatted(uid, created.resourceVersion())));

        assertThat(otherUid.code()).isEqualTo(409);
        assertThat(otherUid.reason()).isEqualTo("Conflict");
        assertThat(otherUid.message())
                .isEqualTo(
                        "Operation cannot be fulfilled on Lease.coordination.k8s.io \"a\": the UID in the precondition"
                                + " (another) does not match the UID in record (" + uid
                                + "). The object might have been deleted and then recreated");
        assertThat(otherVersion.code()).isEqualTo(409);
        assertThat(right.code()).isEqualTo(200);
    }
}
