package io.cle.spring.properties.internal;

import java.util.Optional;

import io.cle.InvalidConfigurationException;
import io.cle.spring.properties.Mode;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.bind.Name;
import org.springframework.util.StringUtils;

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
     * Fails if the mode is standalone and properties name a cluster.
     *
     * @throws InvalidConfigurationException if a property does
     */
    public void refuseAClusterBesideStandalone() {
        if (mode == Mode.STANDALONE) {
            kubernetes.written().ifPresent(property -> {
                throw new InvalidConfigurationException(
                        "cle.mode",
                        "standalone",
                        "contradicts " + property + ": a process that leads on its own joins no cluster",
                        "Remove " + property + ", or set cle.mode to kubernetes.");
            });
        }
    }

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

        /** Returns the full name of the first property that is set; empty if there is none. */
        public Optional<String> written() {
            if (StringUtils.hasText(baseUrl)) {
                return Optional.of("cle.kubernetes.base-url");
            }
            return StringUtils.hasText(kubeconfig)
                    ? Optional.of("cle.kubernetes.kubeconfig")
                    : Optional.ofNullable(context).filter(StringUtils::hasText).map(set -> "cle.kubernetes.context");
        }
    }
}
