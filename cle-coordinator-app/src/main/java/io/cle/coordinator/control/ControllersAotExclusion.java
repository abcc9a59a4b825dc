package io.cle.coordinator.control;

import org.springframework.beans.factory.aot.BeanRegistrationExcludeFilter;
import org.springframework.beans.factory.support.RegisteredBean;

/**
 * Leaves client-java's controllers out of what is processed ahead of time. client-java's {@code KubernetesReconcilerProcessor} registers
 * each by an instance supplier, from which no code can be generated, and registers it again when the processed application starts.
 */
public final class ControllersAotExclusion implements BeanRegistrationExcludeFilter {

    private static final String CLIENT_JAVA = "io.kubernetes.client.spring.";

    @Override
    public boolean isExcludedFromAotProcessing(RegisteredBean bean) {
        return bean.getBeanClass().getName().startsWith(CLIENT_JAVA)
                && bean.getMergedBeanDefinition().getInstanceSupplier() != null;
    }
}
