package io.cle.spring.kubernetes;

import io.cle.kubernetes.KubernetesAccess;
import org.springframework.boot.autoconfigure.service.connection.ConnectionDetails;

/**
 * Where the cluster is and how to authenticate. A bean of this type takes the place of the properties {@code cle.kubernetes.*}, of an
 * {@code ApiClient} bean and of the kubeconfig that would be found otherwise.
 */
@FunctionalInterface
public interface KubernetesConnectionDetails extends ConnectionDetails {

    /**
     * The cluster.
     *
     * @throws io.cle.kubernetes.NoClusterConfigurationException if there is none, or its configuration can't be used
     */
    KubernetesAccess access();
}
