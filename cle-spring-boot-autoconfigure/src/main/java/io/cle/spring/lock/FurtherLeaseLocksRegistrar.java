package io.cle.spring.lock;

import java.util.Map;

import io.cle.runtime.CoordinatedLeaseLock;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.ConstructorArgumentValues;
import org.springframework.beans.factory.support.AutowireCandidateQualifier;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;

/**
 * Makes a bean of the lock of every further lease, to be injected by {@code @Qualifier("<name>")}. Where no qualifier is given, the
 * default lease's lock is meant.
 */
public final class FurtherLeaseLocksRegistrar implements ImportBeanDefinitionRegistrar {

    /** The bean that all locks are had from. */
    public static final String LEASE_LOCKS = "leaseLocks";

    private final Environment environment;

    /** Reads the names of the leases from an environment. */
    public FurtherLeaseLocksRegistrar(Environment environment) {
        this.environment = environment;
    }

    @Override
    public void registerBeanDefinitions(AnnotationMetadata importing, BeanDefinitionRegistry registry) {
        Binder.get(environment)
                .bind("cle.leases", Bindable.mapOf(String.class, Object.class))
                .orElse(Map.of())
                .keySet()
                .forEach(name -> registry.registerBeanDefinition(name + "CoordinatedLeaseLock", definition(name)));
    }

    private static RootBeanDefinition definition(String name) {
        RootBeanDefinition definition = new RootBeanDefinition();
        definition.setTargetType(CoordinatedLeaseLock.class);
        definition.setFactoryBeanName(LEASE_LOCKS);
        definition.setFactoryMethodName("get");
        ConstructorArgumentValues arguments = new ConstructorArgumentValues();
        arguments.addGenericArgumentValue(name);
        definition.setConstructorArgumentValues(arguments);
        definition.addQualifier(new AutowireCandidateQualifier(Qualifier.class, name));
        definition.setFallback(true);
        // The election's lifecycle has stopped it by then.
        definition.setDestroyMethodName("");
        return definition;
    }
}
