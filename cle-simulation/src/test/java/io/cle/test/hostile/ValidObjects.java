package io.cle.test.hostile;

import java.util.List;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;

/** Valid objects of every kind that a codec reads, with every field and annotation that it knows. */
final class ValidObjects {

    private static final String ANNOTATIONS = """
            "coordination.k8s.io/elected-by": "coordinated-election-controller",
            "coordination.k8s.io/strategy": "OldestCompatibilityVersion",
            "coordination.cle.io/recorded-strategy": "OldestCompatibilityVersion",
            "coordination.k8s.io/end-of-term": "true",
            "coordination.k8s.io/preferred-holder": "orders-b",
            "coordination.cle.io/preferred-key": "2",
            "coordination.cle.io/holder-key": "1",
            "coordination.cle.io/term": "n1+15@1767225600000000/orders-a",
            "coordination.k8s.io/pending-ack": "2026-01-01T00:00:00.000000Z",
            "coordination.cle.io/priority": "7"
            """;

    private static final String METADATA = """
            "metadata": {"namespace": "shop", "name": "orders", "uid": "u-1", "resourceVersion": "17",
              "creationTimestamp": "2026-01-01T00:00:00Z",
              "labels": {"coordination.cle.io/managed": "true", "binary-version": "1.29.0", "compatibility-version": "1.28.0"},
              "annotations": {%s},
              "ownerReferences": [{"apiVersion": "v1", "kind": "Pod", "name": "orders-0", "uid": "p-1", "controller": false}]}
            """.formatted(ANNOTATIONS);

    static final JsonObject LEASE = object("""
            {"apiVersion": "coordination.k8s.io/v1", "kind": "Lease", %s,
             "spec": {"holderIdentity": "orders-a", "leaseDurationSeconds": 15, "acquireTime": "2026-01-01T00:00:00.000000Z",
               "renewTime": "2026-01-01T00:00:02.000000Z", "leaseTransitions": 3,
               "strategy": "coordination.cle.io/OldestCompatibilityVersion", "preferredHolder": "orders-b"}}
            """.formatted(METADATA));

    static final JsonObject CANDIDATE = object("""
            {"apiVersion": "coordination.cle.io/v1alpha1", "kind": "LeaseCandidate", %s,
             "spec": {"canLeadLease": "shop/orders", "strategy": "OldestCompatibilityVersion", "priority": 10,
               "leaseDurationSeconds": 600, "renewTime": "2026-01-01T00:00:00.000000Z"}}
            """.formatted(METADATA));

    static final JsonObject NATIVE_CANDIDATE = object("""
            {"apiVersion": "coordination.k8s.io/v1beta1", "kind": "LeaseCandidate", %s,
             "spec": {"leaseName": "orders", "binaryVersion": "1.29.0", "emulationVersion": "1.28.0",
               "strategy": "OldestEmulationVersion", "pingTime": "2026-01-01T00:00:00.000000Z",
               "renewTime": "2026-01-01T00:00:00.000000Z"}}
            """.formatted(METADATA));

    static final JsonObject CONFIGURATION = object("""
            {"apiVersion": "coordination.cle.io/v1alpha1", "kind": "LeaseConfiguration", %s,
             "spec": {"targetLease": "orders", "strategy": "NewestCompatibilityVersion"}}
            """.formatted(METADATA));

    static final JsonObject RECORD = withRecord();

    static final JsonObject POD = object("""
            {"apiVersion": "v1", "kind": "Pod", %s,
             "spec": {"containers": [{"name": "app"}, {"name": "sidecar"}]},
             "status": {"phase": "Running", "containerStatuses": [
               {"name": "app", "state": {"running": {"startedAt": "2026-01-01T00:00:00Z"}}},
               {"name": "sidecar", "state": {"terminated": {"exitCode": 0, "finishedAt": "2026-01-01T00:00:00Z"}}}]}}
            """.formatted(METADATA));

    static final List<JsonObject> ALL = List.of(LEASE, CANDIDATE, NATIVE_CANDIDATE, CONFIGURATION, RECORD, POD);

    private ValidObjects() {}

    private static JsonObject object(String text) {
        return JsonParser.parseString(text).getAsJsonObject();
    }

    private static JsonObject withRecord() {
        JsonObject endpoints = object("{\"apiVersion\": \"v1\", \"kind\": \"Endpoints\", %s}".formatted(METADATA));
        endpoints
                .getAsJsonObject("metadata")
                .getAsJsonObject("annotations")
                .addProperty("control-plane.alpha.kubernetes.io/leader", """
                        {"holderIdentity":"orders-a","holderKey":"1","leaseDurationSeconds":15,\
                        "acquireTime":"2026-01-01T00:00:00Z","renewTime":"2026-01-01T00:00:02Z","leaderTransitions":3}""");
        return endpoints;
    }
}
