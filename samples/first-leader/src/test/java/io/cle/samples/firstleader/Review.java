package io.cle.samples.firstleader;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * A request that an admission policy reviews, in the namespace {@code shop}.
 *
 * @param group {@code coordination.k8s.io} or {@code coordination.cle.io}; empty for a pod
 * @param kind {@code Lease}, {@code LeaseCandidate} or {@code Pod}
 * @param operation {@code CREATE}, {@code UPDATE} or {@code DELETE}
 * @param object the object as written; {@code null} if it is deleted
 * @param before the object before; {@code null} if it is created
 */
record Review(
        Account account,
        String group,
        String kind,
        String operation,
        Map<String, Object> object,
        Map<String, Object> before,
        boolean dryRun) {

    static final String NAMESPACE = "shop";

    /** Returns the account of a pod of the application, whose token is bound to that pod. */
    static Account pod(String pod) {
        return new Account("system:serviceaccount:shop:orders", pod);
    }

    /**
     * The account that writes.
     *
     * @param user the API server's name of a service account; {@code admin} has all rights
     * @param pod the pod that its token is bound to; {@code null} if it is bound to none
     */
    record Account(String user, String pod) {

        static final Account COORDINATOR = new Account("system:serviceaccount:cle-system:cle-coordinator", null);
        static final Account GARBAGE_COLLECTOR =
                new Account("system:serviceaccount:kube-system:generic-garbage-collector", null);
        static final Account ADMINISTRATOR = new Account("admin", null);
        static final Account OF_NO_POD = new Account("system:serviceaccount:shop:orders", null);
    }

    static Review of(Account account, String kind, Map<String, Object> object, Map<String, Object> before) {
        String version = (String) Objects.requireNonNull(object == null ? before : object)
                .getOrDefault("apiVersion", "coordination.k8s.io/v1");
        String operation = before == null ? "CREATE" : object == null ? "DELETE" : "UPDATE";
        String group = kind.equals("Pod") ? "" : version.substring(0, version.indexOf('/'));
        return new Review(account, group, kind, operation, object, before, false);
    }

    Review asDryRun() {
        return new Review(account, group, kind, operation, object, before, true);
    }

    String version() {
        return kind.equals("Lease") || kind.equals("Pod")
                ? "v1"
                : group.equals("coordination.k8s.io") ? "v1beta1" : "v1alpha1";
    }

    String resource() {
        return kind.toLowerCase(Locale.ROOT) + "s";
    }

    @SuppressWarnings("unchecked")
    String name() {
        Map<String, Object> any = Objects.requireNonNull(object == null ? before : object);
        return (String) ((Map<String, Object>) any.get("metadata")).get("name");
    }

    /** Returns an object with its kind and version, as a client sends it. */
    Map<String, Object> complete(Map<String, Object> any) {
        Map<String, Object> complete = new HashMap<>(any);
        complete.put("apiVersion", group.isEmpty() ? version() : group + "/" + version());
        complete.put("kind", kind);
        return complete;
    }

    /** Returns the AdmissionRequest of {@code admission.k8s.io/v1}, as an API server sends it to webhooks. */
    Map<String, Object> request(String uidOfPod) {
        Map<String, Object> user = new HashMap<>();
        user.put("username", account.user());
        List<String> groups = new ArrayList<>(List.of("system:authenticated"));
        if (account.equals(Account.ADMINISTRATOR)) {
            groups.add("system:masters");
        }
        user.put("groups", groups);
        if (account.pod() != null) {
            user.put(
                    "extra",
                    Map.of(
                            "authentication.kubernetes.io/pod-name", List.of(account.pod()),
                            "authentication.kubernetes.io/pod-uid", List.of(uidOfPod)));
        }
        Map<String, Object> request = new HashMap<>(Map.of(
                "uid",
                "1",
                "kind",
                Map.of("group", group, "version", version(), "kind", kind),
                "resource",
                Map.of("group", group, "version", version(), "resource", resource()),
                "name",
                name(),
                "namespace",
                NAMESPACE,
                "operation",
                operation,
                "userInfo",
                user,
                "dryRun",
                dryRun));
        if (object != null) {
            request.put("object", complete(object));
        }
        if (before != null) {
            request.put("oldObject", complete(before));
        }
        return request;
    }
}
