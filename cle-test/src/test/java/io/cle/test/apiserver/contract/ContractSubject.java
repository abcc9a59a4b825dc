package io.cle.test.apiserver.contract;

import java.util.ArrayList;
import java.util.List;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.cle.test.apiserver.HttpApi;
import io.cle.test.apiserver.HttpApi.Reply;

/** The server that a contract is put to, and where on it a test may write. */
public interface ContractSubject {

    /** The server's API. */
    HttpApi api();

    /** A namespace that this test has for itself. */
    String namespace();

    /** The path of the Leases of the test's namespace. */
    default String leases() {
        return "/apis/coordination.k8s.io/v1/namespaces/" + namespace() + "/leases";
    }

    /** The path of the LeaseCandidates (by our definition) of the test's namespace. */
    default String candidates() {
        return "/apis/coordination.cle.io/v1alpha1/namespaces/" + namespace() + "/leasecandidates";
    }

    /** The path of the LeaseConfigurations of the test's namespace. */
    default String configurations() {
        return "/apis/coordination.cle.io/v1alpha1/namespaces/" + namespace() + "/leaseconfigurations";
    }

    /** The path of a collection of the core group in the test's namespace. */
    default String core(String plural) {
        return "/api/v1/namespaces/" + namespace() + "/" + plural;
    }

    /** A Lease with a holder. */
    default JsonObject lease(String name) {
        return json("""
                {"apiVersion": "coordination.k8s.io/v1", "kind": "Lease", "metadata": {"name": "%s"},
                 "spec": {"holderIdentity": "one", "leaseDurationSeconds": 15, "renewTime": "2026-01-01T00:00:00.000001Z"}}
                """.formatted(name));
    }

    /** A Lease with one label. */
    default JsonObject lease(String name, String label, String value) {
        JsonObject lease = lease(name);
        lease.getAsJsonObject("metadata").add("labels", json("{\"%s\": \"%s\"}".formatted(label, value)));
        return lease;
    }

    /** A LeaseCandidate by our definition. */
    default JsonObject candidate(String name) {
        return candidate(name, "{\"canLeadLease\": \"shop/orders\"}");
    }

    /** A LeaseCandidate by our definition, with a given spec; renewed once, unless the spec says otherwise. */
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

    /** A LeaseConfiguration. */
    default JsonObject configuration(String name) {
        return json("""
                {"apiVersion": "coordination.cle.io/v1alpha1", "kind": "LeaseConfiguration", "metadata": {"name": "%s"},
                 "spec": {"targetLease": "ord*", "strategy": "NoCoordination"}}
                """.formatted(name));
    }

    /** The patch of the status of a LeaseConfiguration that is in force. */
    default String accepted() {
        return """
                {"status": {"observedGeneration": 1, "conditions": [{"type": "Accepted", "status": "True", "reason": "InForce",
                 "message": "in force", "lastTransitionTime": "2026-01-01T00:00:00Z"}]}}
                """;
    }

    /** Reads JSON. */
    default JsonObject json(String text) {
        return JsonParser.parseString(text).getAsJsonObject();
    }

    /** A copy of an object with another holder. */
    default JsonObject heldBy(JsonObject lease, String holder) {
        JsonObject copy = lease.deepCopy();
        copy.getAsJsonObject("spec").addProperty("holderIdentity", holder);
        return copy;
    }

    /** The names of a list's items, in order. */
    default List<String> names(Reply list) {
        List<String> names = new ArrayList<>();
        JsonArray items = list.json().getAsJsonArray("items");
        items.forEach(item -> names.add(
                item.getAsJsonObject().getAsJsonObject("metadata").get("name").getAsString()));
        return names;
    }

    /** The fields that a 422 refuses, in order of their names, each once. */
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
