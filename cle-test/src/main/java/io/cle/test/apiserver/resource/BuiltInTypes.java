package io.cle.test.apiserver.resource;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

import io.cle.test.apiserver.schema.MetadataRules.NameForm;

/** The kinds that Kubernetes itself has: those of leader election with their rules, others that a deployment needs as is. */
final class BuiltInTypes {

    private static final PrinterColumn REASON = PrinterColumn.field("Reason", "string", "reason");

    private BuiltInTypes() {}

    /** All kinds but the native candidates. */
    static List<ResourceType> all(BooleanSupplier nativeServed) {
        List<ResourceType> types = new ArrayList<>(List.of(
                ResourceType.namespaced("coordination.k8s.io/v1", "Lease", "leases")
                        .createdByPut()
                        .neverUnconditionally()
                        .rules(new LeaseRules(nativeServed))
                        .columns(
                                PrinterColumn.NAME,
                                PrinterColumn.field("Holder", "string", "spec.holderIdentity"),
                                PrinterColumn.AGE)
                        .build(),
                pods(),
                ResourceType.clusterScoped("v1", "Namespace", "namespaces")
                        .shortNames("ns")
                        .nameForm(NameForm.LABEL)
                        .selectable("status.phase")
                        .rules(new InitialPhase("Active"))
                        .columns(
                                PrinterColumn.NAME,
                                PrinterColumn.field("Status", "string", "status.phase"),
                                PrinterColumn.AGE)
                        .build(),
                events(),
                ResourceType.namespaced("v1", "Endpoints", "endpoints")
                        .called("endpoints", List.of("ep"))
                        .createdByPut()
                        .build(),
                ResourceType.namespaced("v1", "ConfigMap", "configmaps")
                        .shortNames("cm")
                        .columns(PrinterColumn.NAME, PrinterColumn.count("Data", "data"), PrinterColumn.AGE)
                        .build(),
                ResourceType.clusterScoped(
                                "apiextensions.k8s.io/v1", "CustomResourceDefinition", "customresourcedefinitions")
                        .shortNames("crd", "crds")
                        .neverUnconditionally()
                        .rules(new CustomResources())
                        .build()));
        types.addAll(plain());
        return types;
    }

    /** LeaseCandidates of a version of {@code coordination.k8s.io}. */
    static ResourceType nativeCandidates(String version) {
        return ResourceType.namespaced("coordination.k8s.io/" + version, "LeaseCandidate", "leasecandidates")
                .createdByPut()
                .neverUnconditionally()
                .nameForm(NameForm.CONFIG_KEY)
                .rules(new NativeCandidateRules(version))
                .columns(
                        PrinterColumn.NAME,
                        PrinterColumn.field("LeaseName", "string", "spec.leaseName"),
                        PrinterColumn.field("BinaryVersion", "string", "spec.binaryVersion"),
                        PrinterColumn.field("EmulationVersion", "string", "spec.emulationVersion"),
                        PrinterColumn.AGE)
                .build();
    }

    private static ResourceType pods() {
        return ResourceType.namespaced("v1", "Pod", "pods")
                .shortNames("po")
                .statusSubresource(true)
                .selectable("spec.nodeName", "status.phase", "status.podIP")
                .rules(new InitialPhase("Pending"))
                .columns(
                        PrinterColumn.NAME,
                        PrinterColumn.field("Status", "string", "status.phase"),
                        PrinterColumn.AGE,
                        PrinterColumn.field("Node", "string", 1, "spec.nodeName"))
                .build();
    }

    private static ResourceType events() {
        return ResourceType.namespaced("v1", "Event", "events")
                .shortNames("ev")
                .createdByPut()
                .selectable(
                        "involvedObject.kind",
                        "involvedObject.namespace",
                        "involvedObject.name",
                        "involvedObject.uid",
                        "reason",
                        "type",
                        "reportingComponent")
                .columns(
                        PrinterColumn.age("Last Seen", "metadata.creationTimestamp"),
                        PrinterColumn.field("Type", "string", "type"),
                        REASON,
                        PrinterColumn.field("Object", "string", "involvedObject.name"),
                        PrinterColumn.field("Message", "string", "message"))
                .build();
    }

    /** Kinds that are stored without any further effect. */
    private static List<ResourceType> plain() {
        return List.of(
                ResourceType.namespaced("v1", "ServiceAccount", "serviceaccounts")
                        .shortNames("sa")
                        .build(),
                ResourceType.namespaced("v1", "Secret", "secrets").build(),
                ResourceType.namespaced("v1", "Service", "services")
                        .shortNames("svc")
                        .build(),
                ResourceType.namespaced("discovery.k8s.io/v1", "EndpointSlice", "endpointslices")
                        .build(),
                ResourceType.clusterScoped("v1", "Node", "nodes")
                        .shortNames("no")
                        .build(),
                ResourceType.namespaced("apps/v1", "Deployment", "deployments")
                        .shortNames("deploy")
                        .statusSubresource(true)
                        .build(),
                ResourceType.namespaced("policy/v1", "PodDisruptionBudget", "poddisruptionbudgets")
                        .shortNames("pdb")
                        .statusSubresource(true)
                        .build(),
                rbac(ResourceType.namespaced("rbac.authorization.k8s.io/v1", "Role", "roles")),
                rbac(ResourceType.namespaced("rbac.authorization.k8s.io/v1", "RoleBinding", "rolebindings")),
                rbac(ResourceType.clusterScoped("rbac.authorization.k8s.io/v1", "ClusterRole", "clusterroles")),
                rbac(ResourceType.clusterScoped(
                        "rbac.authorization.k8s.io/v1", "ClusterRoleBinding", "clusterrolebindings")));
    }

    private static ResourceType rbac(ResourceType.Builder type) {
        return type.nameForm(NameForm.PATH_SEGMENT).build();
    }
}
