package io.cle.spring.properties.internal;

import java.security.SecureRandom;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

import io.cle.kubernetes.ClientLibraries;
import io.cle.kubernetes.KubernetesAccess;
import io.cle.model.ObjectKey;
import io.cle.model.PodRef;
import io.cle.runtime.internal.lock.ProcessIdentity;
import io.cle.spring.properties.internal.ProcessFacts.FoundVersion;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.cloud.CloudPlatform;
import org.springframework.boot.info.BuildProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/** Finds what is known of this process without configuration. */
@Configuration(proxyBeanMethods = false)
public class ProcessFactsConfiguration {

    /** The default lease's name where there is neither a cluster nor a name: no other process sees it. */
    private static final String UNSEEN_NAME = "application";

    /** For an application with a lock or a lock factory of its own, whose beans need not be asked about a cluster. */
    @Bean
    @ConditionalOnMissingBean
    LockOrigin cleLockOrigin(
            CleProperties properties, Environment environment, ConfigurableListableBeanFactory factory) {
        return origin(properties, environment, factory, () -> false);
    }

    /**
     * Where this application's locks come from. To be asked before the settings are made, which the lock is made of: if the lock is
     * there already, it is a test's. Spring's tests replace a bean after the conditions of auto-configurations were evaluated, so that a
     * condition can't tell.
     *
     * @param namedByBean whether a bean of the application says where its cluster is
     */
    public static LockOrigin origin(
            CleProperties properties,
            Environment environment,
            ConfigurableListableBeanFactory factory,
            BooleanSupplier namedByBean) {
        return LockOrigin.of(
                factory.containsSingleton("coordinatedLeaseLock"),
                properties.mode(),
                CloudPlatform.KUBERNETES.isActive(environment),
                () -> !properties.kubernetes().written().isEmpty() || namedByBean.getAsBoolean());
    }

    @Bean
    @ConditionalOnMissingBean
    ProcessFacts cleProcessFacts(
            Environment environment,
            ObjectProvider<BuildProperties> buildProperties,
            ObjectProvider<KubernetesAccess> cluster,
            LockOrigin origin) {
        // Also where no cluster is joined: what can't work in the pod is to fail on the laptop.
        ClientLibraries.check();
        Supplier<String> namespace = () -> {
            String ofPod = environment.getProperty("POD_NAMESPACE");
            if (StringUtils.hasText(ofPod)) {
                return ofPod;
            }
            KubernetesAccess access = origin.isCluster() ? cluster.getIfAvailable() : null;
            return access == null ? "default" : access.namespace();
        };
        String name = environment.getProperty("spring.application.name");
        return new ProcessFacts(
                name == null && !origin.isCluster() ? UNSEEN_NAME : name,
                namespace,
                ProcessIdentity.create(environment.getProperty("HOSTNAME"), new SecureRandom()),
                version(buildProperties.getIfAvailable(), environment),
                pod(environment));
    }

    private static @Nullable FoundVersion version(@Nullable BuildProperties build, Environment environment) {
        if (build != null && StringUtils.hasText(build.getVersion())) {
            return new FoundVersion(build.getVersion(), "the build info (META-INF/build-info.properties)");
        }
        // Spring Boot sets it to the Implementation-Version in the manifest of the main class's jar.
        String ofManifest = environment.getProperty("spring.application.version");
        return StringUtils.hasText(ofManifest)
                ? new FoundVersion(ofManifest, "spring.application.version, by default the manifest's,")
                : null;
    }

    /** The pod, where all of the downward API's variables are there. */
    private static @Nullable PodRef pod(Environment environment) {
        String name = environment.getProperty("POD_NAME");
        String uid = environment.getProperty("POD_UID");
        String namespace = environment.getProperty("POD_NAMESPACE");
        return StringUtils.hasText(name) && StringUtils.hasText(uid) && StringUtils.hasText(namespace)
                ? new PodRef(new ObjectKey(namespace, name), uid)
                : null;
    }
}
