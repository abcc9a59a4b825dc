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
 * The cluster by {@code cle.kubernetes.*}; without these properties that of the application's own {@link ApiClient}; without one that
 * which client-java finds: {@code KUBECONFIG}, {@code ~/.kube/config}, the pod's service account.
 *
 * @param applicationsClient supplies the application's own client; {@code null} if it has none, or several of equal rank
 */
public record PropertiesKubernetesConnectionDetails(
        CleProperties.Kubernetes properties, Supplier<@Nullable ApiClient> applicationsClient)
        implements KubernetesConnectionDetails {

    /** Whether a bean that only the application has says where its cluster is; of several clients of equal rank none would be used. */
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
