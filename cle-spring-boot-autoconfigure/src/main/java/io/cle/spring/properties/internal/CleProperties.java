package io.cle.spring.properties.internal;

import java.util.LinkedHashMap;
import java.util.Map;

import io.cle.spring.properties.Mode;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.bind.Name;

/**
 * The properties that don't belong to a lease; those of leases are in {@link LeaseProperties}.
 *
 * @param enabled Whether to take part in leader election. If not, this process never leads: locks can be injected, and @OnLeader work
 *     doesn't run. To lead without a cluster, use mode "standalone".
 * @param mode Whether this process joins a cluster's election ("kubernetes") or leads at once ("standalone"). "auto" joins in a pod, and
 *     elsewhere only if a property or a bean names a cluster.
 * @param kubernetes Connection to the API server.
 */
@ConfigurationProperties("cle")
public record CleProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("auto") Mode mode,
        @DefaultValue Kubernetes kubernetes) {

    /**
     * Connection to the API server. If any of these is set, this process joins that cluster's election. Otherwise an ApiClient bean of the
     * application is used, or else KUBECONFIG, ~/.kube/config or the pod's service account.
     *
     * @param baseUrl Address of an API server without authentication, as on a laptop; excludes the other two.
     * @param kubeconfig Path of a kubeconfig, used instead of the one that would be found.
     * @param context Context of the kubeconfig. Defaults to its current context.
     */
    public record Kubernetes(
            @Name("base-url") @Nullable String baseUrl,
            @Nullable String kubeconfig,
            @Nullable String context) {

        /** Returns the properties that are set, by their full names. */
        public Map<String, String> written() {
            Map<String, String> written = new LinkedHashMap<>();
            put(written, "cle.kubernetes.base-url", baseUrl);
            put(written, "cle.kubernetes.kubeconfig", kubeconfig);
            put(written, "cle.kubernetes.context", context);
            return written;
        }

        private static void put(Map<String, String> written, String property, @Nullable String value) {
            if (value != null && !value.isBlank()) {
                written.put(property, value);
            }
        }
    }
}
