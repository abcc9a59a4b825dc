package io.cle.spring.lock.internal;

import java.util.Set;

import io.cle.CoordinatedLeaseLock;
import io.cle.spring.lock.Shards;
import io.cle.spring.properties.internal.LeaseBinder;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.ConstructorArgumentValues;
import org.springframework.beans.factory.support.AutowireCandidateQualifier;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;

/**
 * Registers the lock of every further lease as a bean, to be injected by {@code @Qualifier("<name>")}. Without a
 * qualifier, the lock of the default lease is injected. An application's own bean named {@code <name>CoordinatedLeaseLock}
 * is kept. A lease with shards has a {@link Shards} bean instead, named {@code <name>Shards}.
 */
public final class FurtherLeaseLocksRegistrar implements ImportBeanDefinitionRegistrar {

    /** The bean that has the locks, including an application's own. */
    private static final String LEASES = "cleLeases";

    private final Environment environment;

    /** Reads the names of the leases from an environment. */
    public FurtherLeaseLocksRegistrar(Environment environment) {
        this.environment = environment;
    }

    @Override
    public void registerBeanDefinitions(AnnotationMetadata importing, BeanDefinitionRegistry registry) {
        LeaseBinder leases = new LeaseBinder(environment);
        Set<String> names = leases.names();
        Set<String> sharded = leases.sharded();
        for (String name : names) {
            boolean inParts = sharded.contains(name);
            String bean = inParts ? name + "Shards" : lockBean(name);
            if (!registry.containsBeanDefinition(bean)) {
                registry.registerBeanDefinition(bean, inParts ? shards(name) : lock(name));
            }
        }
    }

    /** Returns the name of the bean that is the lock of a further lease. */
    static String lockBean(String lease) {
        return lease + "CoordinatedLeaseLock";
    }

    private static RootBeanDefinition lock(String name) {
        RootBeanDefinition definition = definition(name, CoordinatedLeaseLock.class, "lock");
        definition.setFallback(true);
        definition.setLazyInit(true);
        // ElectionLifecycle has stopped the lock by then.
        definition.setDestroyMethodName("");
        return definition;
    }

    private static RootBeanDefinition shards(String name) {
        return definition(name, Shards.class, "shardsOf");
    }

    private static RootBeanDefinition definition(String name, Class<?> type, String factoryMethod) {
        RootBeanDefinition definition = new RootBeanDefinition();
        definition.setTargetType(type);
        definition.setFactoryBeanName(LEASES);
        definition.setFactoryMethodName(factoryMethod);
        ConstructorArgumentValues arguments = new ConstructorArgumentValues();
        arguments.addGenericArgumentValue(name);
        definition.setConstructorArgumentValues(arguments);
        definition.addQualifier(new AutowireCandidateQualifier(Qualifier.class, name));
        return definition;
    }
}
