package io.cle.fencing.jdbc;

import javax.sql.DataSource;

import org.springframework.beans.BeanWrapper;
import org.springframework.beans.PropertyAccessorFactory;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.core.PriorityOrdered;
import org.springframework.transaction.ConfigurableTransactionManager;

/**
 * Adds a {@link LeaderFence} to each transaction manager that has a JDBC {@link DataSource}: a
 * {@code DataSourceTransactionManager}, and a {@code JpaTransactionManager}, which finds its own when it is
 * initialized. Those of Kafka and MongoDB have none. Runs before a manager is proxied.
 */
record LeaderFences(boolean required) implements BeanPostProcessor, PriorityOrdered {

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (bean instanceof ConfigurableTransactionManager manager) {
            BeanWrapper properties = PropertyAccessorFactory.forBeanPropertyAccess(bean);
            if (properties.isReadableProperty("dataSource")
                    && properties.getPropertyValue("dataSource") instanceof DataSource dataSource) {
                manager.addListener(new LeaderFence(dataSource, required));
            }
        }
        return bean;
    }

    @Override
    public int getOrder() {
        return HIGHEST_PRECEDENCE;
    }
}
