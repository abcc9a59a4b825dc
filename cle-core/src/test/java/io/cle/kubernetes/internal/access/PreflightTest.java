package io.cle.kubernetes.internal.access;

import java.time.Duration;
import java.util.List;

import io.cle.ApiFormat;
import io.cle.ResourceLock;
import io.cle.kubernetes.internal.transport.FakeTransport;
import io.cle.kubernetes.internal.transport.ResourceType;
import io.cle.model.ObjectKey;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** The preflight of rights. */
class PreflightTest {

    private final FakeTransport transport = new FakeTransport();
    private final Preflight preflight = new Preflight(transport, Duration.ofSeconds(5));

    private static AccessRight leases(String... verbs) {
        return new AccessRight(ResourceType.LEASES, List.of(verbs), "shop");
    }

    private AccessReport check(AccessRight... rights) {
        return preflight.check(List.of(rights)).toCompletableFuture().join();
    }

    @Test
    void whereAllIsAllowedNothingIsMissing() {
        transport.answer(201, "{'status': {'allowed': true}}").answer(201, "{'status': {'allowed': true}}");

        AccessReport report = check(leases("get", "patch"));

        assertThat(report.problem()).isEmpty();
        assertThat(report.unchecked()).isEmpty();
        assertThat(transport.lastRequest().describe())
                .isEqualTo("POST /apis/authorization.k8s.io/v1/selfsubjectaccessreviews");
        assertThat(transport.lastRequest().body()).isEqualTo(FakeTransport.json("""
                {'apiVersion': 'authorization.k8s.io/v1', 'kind': 'SelfSubjectAccessReview',
                 'spec': {'resourceAttributes': {'verb': 'patch', 'group': 'coordination.k8s.io', 'version': 'v1',
                   'resource': 'leases', 'namespace': 'shop'}}}
                """));
    }

    @Test
    void aMissingRightIsNamedByVerbResourceAndNamespaceWithTheRuleThatGrantsIt() {
        transport
                .answer(201, "{'status': {'allowed': true}}")
                .answer(201, "{'status': {'allowed': false}}")
                .answer(201, "{'status': {'allowed': false}}");

        AccessReport report = check(leases("get", "create", "patch"));

        assertThat(report.problem()).hasValue("""
                Rights are missing:
                  - create, patch leases.coordination.k8s.io in namespace 'shop'
                Grant them to the service account, for example by a Role with these rules, and a binding:
                rules:
                  - apiGroups: ["coordination.k8s.io"]
                    resources: [leases]
                    verbs: [create, patch]
                """);
    }

    @Test
    void aRightOnOneObjectIsAskedForByItsNameAndGrantedByItsName() {
        transport.answer(201, "{'status': {'allowed': false}}");

        AccessReport report = check(new AccessRight(ResourceType.LEASES, List.of("get"), "shop", "orders"));

        assertThat(transport.lastRequest().body()).isEqualTo(FakeTransport.json("""
                {'apiVersion': 'authorization.k8s.io/v1', 'kind': 'SelfSubjectAccessReview',
                 'spec': {'resourceAttributes': {'verb': 'get', 'group': 'coordination.k8s.io', 'version': 'v1',
                   'resource': 'leases', 'namespace': 'shop', 'name': 'orders'}}}
                """));
        assertThat(report.rules()).contains("resourceNames: [orders]");
    }

    @Test
    void rightsInAllNamespacesTakeAClusterRole() {
        transport.answer(201, "{'status': {'allowed': false}}");

        AccessReport report = check(new AccessRight(ResourceType.PODS, List.of("get"), null));

        assertThat(report.problem().orElseThrow())
                .contains("get pods in all namespaces")
                .contains("a ClusterRole");
        assertThat(transport.lastRequest().body().toString()).doesNotContain("namespace");
    }

    @Test
    void aRightThatCannotBeAskedForIsNotCalledMissing() {
        transport.answer(403, "{'message': 'not even that'}").answer(201, "{}");

        AccessReport report = check(leases("get"));
        AccessReport odd = check(leases("get"));

        assertThat(report.missing()).isEmpty();
        assertThat(report.unchecked().orElseThrow())
                .contains("could not be checked")
                .contains("not even that");
        assertThat(odd.unchecked()).isPresent();
    }

    @Test
    void rightsAreATable() {
        assertThat(AccessRights.ofCandidate(ApiFormat.CRD, new ObjectKey("shop", "orders")))
                .extracting(AccessRight::describe)
                .containsExactly(
                        "get, list, watch, patch leases.coordination.k8s.io 'orders' in namespace 'shop'",
                        "create leases.coordination.k8s.io in namespace 'shop'",
                        "get, list, watch, create, patch, delete leasecandidates.coordination.cle.io in namespace 'shop'");
        assertThat(AccessRights.ofRacer(ResourceLock.CONFIGMAPS, new ObjectKey("shop", "orders")))
                .extracting(AccessRight::describe)
                .containsExactly(
                        "get, list, watch, patch configmaps 'orders' in namespace 'shop'",
                        "create configmaps in namespace 'shop'");
        assertThat(AccessRights.ofCoordinator(ApiFormat.NATIVE, List.of(), new ObjectKey("system", "replicas")))
                .allMatch(right -> right.namespace() == null)
                .extracting(right -> right.resource().toString())
                .contains("leasecandidates.coordination.k8s.io", "pods", "events");
        assertThat(AccessRights.ofCoordinator(ApiFormat.CRD, List.of("shop"), new ObjectKey("system", "replicas")))
                .filteredOn(right -> "system".equals(right.namespace()))
                .extracting(AccessRight::describe)
                .containsExactly(
                        "get, list, watch, patch leases.coordination.k8s.io 'replicas' in namespace 'system'",
                        "create leases.coordination.k8s.io in namespace 'system'");
    }
}
