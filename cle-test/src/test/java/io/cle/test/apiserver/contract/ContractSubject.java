package io.cle.test.apiserver.contract;

import java.util.ArrayList;
import java.util.List;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.cle.test.apiserver.HttpApi;
import io.cle.test.apiserver.HttpApi.Reply;

/** The server that a contract tests, and the test's namespace on it. */
public interface ContractSubject {

    /** Returns the server's API. */
    HttpApi api();

    /** Returns a namespace that only this test uses. */
    String namespace();

    /** Returns the path of the Leases of the test's namespace. */
    default String leases() {
        return "/apis/coordination.k8s.io/v1/namespaces/" + namespace() + "/leases";
    }

    /** Returns the path of the LeaseCandidates (of our CRD) of the test's namespace. */
    default String candidates() {
        return "/apis/coordination.cle.io/v1alpha1/namespaces/" + namespace() + "/leasecandidates";
    }

    /** Returns the path of the LeaseConfigurations of the test's namespace. */
    default String configurations() {
        return "/apis/coordination.cle.io/v1alpha1/namespaces/" + namespace() + "/leaseconfigurations";
    }

    /** Returns the path of a collection of the core group in the test's namespace. */
    default String core(String plural) {
        return "/api/v1/namespaces/" + namespace() + "/" + plural;
    }

    /** Returns a Lease with a holder. */
    default JsonObject lease(String name) {
        return json("""
                {"apiVersion": "coordination.k8s.io/v1", "kind": "Lease", "metadata": {"name": "%s"},
                 "spec": {"holderIdentity": "one", "leaseDurationSeconds": 15, "renewTime": "2026-01-01T00:00:00.000001Z"}}
                """.formatted(name));
    }

    /** Returns a Lease with a holder and one label. */
    default JsonObject lease(String name, String label, String value) {
        JsonObject lease = lease(name);
        lease.getAsJsonObject("metadata").add("labels", json("{\"%s\": \"%s\"}".formatted(label, value)));
        return lease;
    }

    /** Returns a LeaseCandidate of our CRD. */
    default JsonObject candidate(String name) {
        return candidate(name, "{\"canLeadLease\": \"shop/orders\"}");
    }

    /** Returns a LeaseCandidate of our CRD with the given spec, and a default renewTime. */
    default JsonObject candidate(String name, String spec) {
        JsonObject candidate = json("""
                {"apiVersion": "coordination.cle.io/v1alpha1", "kind": "LeaseCandidate", "metadata": {"name": "%s"},
                 "spec": %s}
                """.formatted(name, spec));
        JsonObject fields = candidate.getAsJsonObject("spec");
        if (!fields.has("renewTime")) {
            fields.addProperty("renewTime", "2026-01-01T00:00:00.000000Z");
        }
        return candidate;
    }

    /** Returns a LeaseConfiguration. */
    default JsonObject configuration(String name) {
        return json("""
                {"apiVersion": "coordination.cle.io/v1alpha1", "kind": "LeaseConfiguration", "metadata": {"name": "%s"},
                 "spec": {"targetLease": "ord*", "strategy": "NoCoordination"}}
                """.formatted(name));
    }

    /** Returns the status patch of an accepted LeaseConfiguration. */
    default String accepted() {
        return """
                {"status": {"observedGeneration": 1, "conditions": [{"type": "Accepted", "status": "True", "reason": "InForce",
                 "message": "in force", "lastTransitionTime": "2026-01-01T00:00:00Z"}]}}
                """;
    }

    /** Parses JSON. */
    default JsonObject json(String text) {
        return JsonParser.parseString(text).getAsJsonObject();
    }

    /** Returns a copy of a Lease with another holder. */
    default JsonObject heldBy(JsonObject lease, String holder) {
        JsonObject copy = lease.deepCopy();
        copy.getAsJsonObject("spec").addProperty("holderIdentity", holder);
        return copy;
    }

    /** Returns the names of a list's items, in order. */
    default List<String> names(Reply list) {
        List<String> names = new ArrayList<>();
        JsonArray items = list.json().getAsJsonArray("items");
        items.forEach(item -> names.add(
                item.getAsJsonObject().getAsJsonObject("metadata").get("name").getAsString()));
        return names;
    }

    /** Returns the distinct fields that a 422 refuses, sorted by name. */
    default List<String> refusedFields(Reply reply) {
        List<String> fields = new ArrayList<>();
        reply.json()
                .getAsJsonObject("details")
                .getAsJsonArray("causes")
                .forEach(
                        cause -> fields.add(cause.getAsJsonObject().get("field").getAsString()));
        return fields.stream().distinct().sorted().toList();
    }
}
