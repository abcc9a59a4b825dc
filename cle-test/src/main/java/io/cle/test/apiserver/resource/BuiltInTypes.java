package io.cle.test.apiserver.resource;

import java.util.List;
import java.util.function.BooleanSupplier;

import io.cle.test.apiserver.resource.MetadataRules.NameForm;

/** Kubernetes' built-in kinds that leader election uses, with their rules. */
final class BuiltInTypes {

    private static final PrinterColumn REASON = PrinterColumn.field("Reason", "string", "reason");

    private BuiltInTypes() {}

    /** All kinds except native candidates. */
    static List<ApiResource> all(BooleanSupplier nativeServed) {
        return List.of(
                ApiResource.namespaced("coordination.k8s.io/v1", "Lease", "leases")
                        .createdByPut()
                        .neverUnconditionally()
                        .rules(new LeaseRules(nativeServed))
                        .columns(
                                PrinterColumn.NAME,
                                PrinterColumn.field("Holder", "string", "spec.holderIdentity"),
                                PrinterColumn.AGE)
                        .build(),
                pods(),
                ApiResource.clusterScoped("v1", "Namespace", "namespaces")
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
                ApiResource.namespaced("v1", "Endpoints", "endpoints")
                        .called("endpoints", List.of("ep"))
                        .createdByPut()
                        .build(),
                ApiResource.namespaced("v1", "ConfigMap", "configmaps")
                        .shortNames("cm")
                        .columns(PrinterColumn.NAME, PrinterColumn.count("Data", "data"), PrinterColumn.AGE)
                        .build(),
                ApiResource.clusterScoped(
                                "apiextensions.k8s.io/v1", "CustomResourceDefinition", "customresourcedefinitions")
                        .shortNames("crd", "crds")
                        .neverUnconditionally()
                        .rules(new CustomResources())
                        .build(),
                ApiResource.namespaced("v1", "Service", "services")
                        .shortNames("svc")
                        .build());
    }

    /** LeaseCandidates of a version of {@code coordination.k8s.io}. */
    static ApiResource nativeCandidates(String version) {
        return ApiResource.namespaced("coordination.k8s.io/" + version, "LeaseCandidate", "leasecandidates")
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

    private static ApiResource pods() {
        return ApiResource.namespaced("v1", "Pod", "pods")
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

    private static ApiResource events() {
        return ApiResource.namespaced("v1", "Event", "events")
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
}
