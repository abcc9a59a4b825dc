package io.cle.spring.properties.internal;

import java.security.SecureRandom;
import java.util.Optional;
import java.util.function.Supplier;

import io.cle.kubernetes.KubernetesAccess;
import io.cle.lock.internal.ProcessIdentity;
import io.cle.model.ObjectKey;
import io.cle.model.PodRef;
import io.cle.model.Version;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.info.BuildProperties;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/**
 * Facts about this process that need no configuration.
 *
 * @param applicationName {@code spring.application.name}; a fixed name if it isn't set and this process joins no cluster
 * @param namespace finds this process's namespace; called only if none is configured, because it may need the cluster's configuration
 * @param identity an identity that no other process has: the host name and five random characters
 * @param version the program's version, from the build info or the manifest
 * @param pod the pod of this process, from {@code POD_NAME}, {@code POD_UID} and {@code POD_NAMESPACE}
 */
public record ProcessFacts(
        @Nullable String applicationName,
        Supplier<String> namespace,
        String identity,
        @Nullable FoundVersion version,
        @Nullable PodRef pod) {

    /** The default lease's name if there is neither a cluster nor an application's name: no other process sees it. */
    private static final String UNSEEN_NAME = "application";

    /**
     * Collects the facts.
     *
     * @param factory may have the build info and the access to the cluster
     * @param origin the origin of the locks
     */
    public static ProcessFacts of(Environment environment, BeanFactory factory, LockOrigin origin) {
        Supplier<String> namespace = () -> {
            String ofPod = environment.getProperty("POD_NAMESPACE");
            if (StringUtils.hasText(ofPod)) {
                return ofPod;
            }
            KubernetesAccess access = origin.isCluster()
                    ? factory.getBeanProvider(KubernetesAccess.class).getIfAvailable()
                    : null;
            return access == null ? "default" : access.namespace();
        };
        String name = environment.getProperty("spring.application.name");
        return new ProcessFacts(
                name == null && !origin.isCluster() ? UNSEEN_NAME : name,
                namespace,
                ProcessIdentity.create(environment.getProperty("HOSTNAME"), new SecureRandom()),
                version(factory.getBeanProvider(BuildProperties.class).getIfAvailable(), environment),
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

    /** Returns the pod, if all variables of the downward API are set. */
    private static @Nullable PodRef pod(Environment environment) {
        String name = environment.getProperty("POD_NAME");
        String uid = environment.getProperty("POD_UID");
        String namespace = environment.getProperty("POD_NAMESPACE");
        return StringUtils.hasText(name) && StringUtils.hasText(uid) && StringUtils.hasText(namespace)
                ? new PodRef(new ObjectKey(namespace, name), uid)
                : null;
    }

    /**
     * A version that was found, not configured.
     *
     * @param text the text that was found
     * @param source where, for messages
     */
    public record FoundVersion(String text, String source) {

        /** Returns the version; empty if the text can't be read as one. */
        public Optional<Version> version() {
            return BuildVersion.read(text);
        }

        /** Returns the text and its source, for messages. */
        public String describe() {
            return "'" + text + "' of " + source;
        }
    }
}
