package io.cle.test.apiserver.contract;

import com.google.gson.JsonObject;
import io.cle.test.apiserver.HttpApi.Reply;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import static io.cle.test.apiserver.memory.ApiServerRequest.MERGE_PATCH;
import static io.cle.test.apiserver.memory.ApiServerRequest.STRATEGIC_MERGE_PATCH;
import static org.assertj.core.api.Assertions.assertThat;

/** Changing objects by patches. */
abstract class PatchContract extends ContractPart {

    PatchContract(ContractSubject subject) {
        super(subject);
    }

    @Test
    void mergePatchSetsAndRemovesFields() {
        api().post(leases(), lease("a", "x", "y"));

        Reply patched = api().patch(leases() + "/a", MERGE_PATCH, """
                        {"metadata": {"annotations": {"coordination.k8s.io/end-of-term": "true"}, "labels": {"x": null}},
                         "spec": {"holderIdentity": "two", "leaseDurationSeconds": null}}
                        """);

        assertThat(patched.code()).isEqualTo(200);
        assertThat(patched.metadata().getAsJsonObject("annotations"))
                .isEqualTo(json("{\"coordination.k8s.io/end-of-term\": \"true\"}"));
        assertThat(patched.metadata().has("labels")).isFalse();
        assertThat(patched.spec())
                .isEqualTo(json("{\"holderIdentity\": \"two\", \"renewTime\": \"2026-01-01T00:00:00.000001Z\"}"));
    }

    @Test
    void mergePatchWithAResourceVersionIsCompareAndSwap() {
        String read = api().post(leases(), lease("a")).resourceVersion();
        String patch = "{\"metadata\": {\"resourceVersion\": \"%s\"}, \"spec\": {\"holderIdentity\": \"%s\"}}";

        Reply first = api().patch(leases() + "/a", MERGE_PATCH, patch.formatted(read, "two"));
        Reply second = api().patch(leases() + "/a", MERGE_PATCH, patch.formatted(read, "three"));

        assertThat(first.code()).isEqualTo(200);
        assertThat(second.code()).isEqualTo(409);
        assertThat(second.reason()).isEqualTo("Conflict");
    }

    @Test
    void patchThatChangesNothingIsNoWrite() {
        String lease = api().post(leases(), lease("a")).resourceVersion();
        String candidate = api().post(candidates(), candidate("a")).resourceVersion();

        assertThat(api().patch(leases() + "/a", MERGE_PATCH, "{\"spec\": {\"holderIdentity\": \"one\"}}")
                        .resourceVersion())
                .isEqualTo(lease);
        assertThat(api().patch(candidates() + "/a", MERGE_PATCH, "{\"spec\": {\"canLeadLease\": \"shop/orders\"}}")
                        .resourceVersion())
                .isEqualTo(candidate);
    }

    @Test
    void patchCannotChangeWhoAnObjectIs() {
        JsonObject metadata = api().post(leases(), lease("a")).metadata();

        Reply patched = api().patch(
                        leases() + "/a",
                        MERGE_PATCH,
                        "{\"metadata\": {\"creationTimestamp\": \"2020-01-01T00:00:00Z\"}}");

        assertThat(patched.code()).isEqualTo(200);
        assertThat(patched.metadata().get("creationTimestamp")).isEqualTo(metadata.get("creationTimestamp"));
        Reply renamed = api().patch(leases() + "/a", MERGE_PATCH, "{\"metadata\": {\"uid\": \"another\"}}");
        assertThat(renamed.code()).isEqualTo(422);
        assertThat(refusedFields(renamed)).containsExactly("metadata.uid");
        assertThat(api().patch(leases() + "/a", MERGE_PATCH, "{\"metadata\": {\"name\": \"b\"}}")
                        .code())
                .isEqualTo(400);
    }

    @Test
    void missingObjectIsNotPatched() {
        assertThat(api().patch(leases() + "/a", MERGE_PATCH, "{}").code()).isEqualTo(404);
    }

    @Test
    void strategicMergePatchIsForBuiltInKindsOnly() {
        api().post(leases(), lease("a"));
        api().post(candidates(), candidate("a"));

        Reply lease = api().patch(leases() + "/a", STRATEGIC_MERGE_PATCH, """
                        {"metadata": {"ownerReferences": [{"apiVersion": "v1", "kind": "Pod", "name": "p", "uid": "u1"}]},
                         "spec": {"holderIdentity": "two"}}
                        """);
        Reply second = api().patch(leases() + "/a", STRATEGIC_MERGE_PATCH, """
                        {"metadata": {"ownerReferences": [{"apiVersion": "v1", "kind": "Pod", "name": "q", "uid": "u2"}],
                                      "$setElementOrder/ownerReferences": [{"uid": "u1"}, {"uid": "u2"}]}}
                        """);

        assertThat(lease.code()).isEqualTo(200);
        assertThat(second.metadata().getAsJsonArray("ownerReferences")).hasSize(2);
        assertThat(second.at("spec.holderIdentity")).isEqualTo("two");
        assertThat(api().patch(candidates() + "/a", STRATEGIC_MERGE_PATCH, "{}").code())
                .isEqualTo(415);
    }

    @Test
    void patchOfAnotherMediaTypeIsRefused() {
        api().post(leases(), lease("a"));

        Reply refused = api().patch(leases() + "/a", "application/json", "{}");

        assertThat(refused.code()).isEqualTo(415);
        assertThat(refused.reason()).isEqualTo("UnsupportedMediaType");
    }

    @Nested
    class Metadata {

        @Test
        void theMetadataIsRefusedWithABadKeyOfAnAnnotation() {
            assertThat(refusedFields(patched("{\"annotations\": {\"not a key\": \"x\"}}")))
                    .containsExactly("metadata.annotations");
        }

        @Test
        void theMetadataIsRefusedWithABadLabel() {
            assertThat(refusedFields(patched("{\"labels\": {\"x\": \"not a value\"}}")))
                    .containsExactly("metadata.labels");
        }

        @Test
        void theMetadataMayHaveAnyTextInAnAnnotation() {
            assertThat(patched("{\"annotations\": {\"x\": \"not a key\"}}").code())
                    .isEqualTo(200);
        }

        private Reply patched(String metadata) {
            api().post(leases(), lease("a"));
            return api().patch(leases() + "/a", MERGE_PATCH, "{\"metadata\": " + metadata + "}");
        }
    }
}
