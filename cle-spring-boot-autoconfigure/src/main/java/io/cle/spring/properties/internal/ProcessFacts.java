package io.cle.spring.properties.internal;

import java.util.Optional;
import java.util.function.Supplier;

import io.cle.model.PodRef;
import io.cle.model.Version;
import org.jspecify.annotations.Nullable;

/**
 * What is known of this process without configuration.
 *
 * @param applicationName {@code spring.application.name}; where it isn't set and no other process sees the leases, a name for them
 * @param namespace finds the namespace it is at home in; asked only where none is configured, as it may need the cluster's
 *     configuration
 * @param identity an identity that no other process has: the host name and five random characters
 * @param version the program's version, by the build info or the manifest
 * @param pod the pod it runs in, by {@code POD_NAME}, {@code POD_UID} and {@code POD_NAMESPACE}
 */
public record ProcessFacts(
        @Nullable String applicationName,
        Supplier<String> namespace,
        String identity,
        @Nullable FoundVersion version,
        @Nullable PodRef pod) {

    /**
     * A version that was found, not configured.
     *
     * @param text as it was found
     * @param source where, for messages
     */
    public record FoundVersion(String text, String source) {

        /** The version; empty if the text can't be read as one. */
        public Optional<Version> version() {
            return BuildVersion.read(text);
        }

        /** For messages: what was found, and where. */
        public String describe() {
            return "'" + text + "' of " + source;
        }
    }
}
