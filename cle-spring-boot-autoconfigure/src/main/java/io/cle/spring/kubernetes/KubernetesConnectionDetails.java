package io.cle.spring.kubernetes;

import io.cle.kubernetes.KubernetesAccess;
import org.springframework.boot.autoconfigure.service.connection.ConnectionDetails;

/**
 * The address of the cluster and the credentials. A bean of this type replaces the properties {@code cle.kubernetes.*}, an
 * {@code ApiClient} bean and the kubeconfig that would otherwise be found.
 */
@FunctionalInterface
public interface KubernetesConnectionDetails extends ConnectionDetails {

    /**
     * Returns the cluster.
     *
     * @throws io.cle.kubernetes.NoClusterConfigurationException if there is none, or its configuration can't be used
     */
    KubernetesAccess access();
}
