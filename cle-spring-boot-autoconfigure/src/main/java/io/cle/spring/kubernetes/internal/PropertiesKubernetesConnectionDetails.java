package io.cle.spring.kubernetes.internal;

import java.nio.file.Path;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.cle.InvalidConfigurationException;
import io.cle.kubernetes.KubernetesAccess;
import io.cle.spring.kubernetes.KubernetesConnectionDetails;
import io.cle.spring.properties.internal.CleProperties;
import io.kubernetes.client.openapi.ApiClient;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.StringUtils;

/**
 * Connects to the cluster of {@code cle.kubernetes.*}. Without these properties, uses the cluster of the application's
 * {@link ApiClient} bean; without such a bean, the one that client-java finds by {@code KUBECONFIG},
 * {@code ~/.kube/config} or the pod's service account.
 *
 * @param applicationsClient supplies the application's client; {@code null} if there is none, or no primary one among several
 */
public record PropertiesKubernetesConnectionDetails(
        CleProperties.Kubernetes properties, Supplier<@Nullable ApiClient> applicationsClient)
        implements KubernetesConnectionDetails {

    /** Returns whether the application has a bean that names its cluster. Several {@link ApiClient} beans without a primary one are ignored. */
    public static boolean areReplacedIn(ConfigurableListableBeanFactory factory) {
        return has(factory, KubernetesConnectionDetails.class, "cleKubernetesConnectionDetails")
                || has(factory, KubernetesAccess.class, "cleKubernetesAccess")
                || factory.getBeanProvider(ApiClient.class).getIfUnique() != null;
    }

    private static boolean has(ListableBeanFactory factory, Class<?> type, String ours) {
        return Stream.of(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(factory, type, true, false))
                .anyMatch(name -> !name.equals(ours));
    }

    /**
     * {@inheritDoc}
     *
     * @throws InvalidConfigurationException if both an address and a kubeconfig or context are configured
     */
    @Override
    public KubernetesAccess access() {
        String baseUrl = properties.baseUrl();
        Path kubeconfig = StringUtils.hasText(properties.kubeconfig()) ? Path.of(properties.kubeconfig()) : null;
        String context = StringUtils.hasText(properties.context()) ? properties.context() : null;
        if (StringUtils.hasText(baseUrl)) {
            refuseBeside(baseUrl, kubeconfig == null ? "context" : "kubeconfig", kubeconfig != null || context != null);
            return KubernetesAccess.at(baseUrl);
        }
        ApiClient client = kubeconfig == null && context == null ? applicationsClient.get() : null;
        return client == null ? KubernetesAccess.find(kubeconfig, context) : KubernetesAccess.of(client);
    }

    private static void refuseBeside(String baseUrl, String other, boolean otherIsSet) {
        if (otherIsSet) {
            throw new InvalidConfigurationException(
                    "cle.kubernetes.base-url",
                    baseUrl,
                    "contradicts cle.kubernetes." + other + ": an address is used without a kubeconfig",
                    "Remove cle.kubernetes.base-url or cle.kubernetes." + other + ".");
        }
    }
}
