package io.cle.kubernetes.internal.discovery;

import java.util.Optional;
import java.util.Set;

import io.cle.api.ApiFormat;

/**
 * Which wire formats an API server can be used with, and which one follows from it.
 *
 * @param formats the formats that can be used
 * @param reason for a person: why which one is, or none
 */
public record ServedFormats(Set<ApiFormat> formats, String reason) {

    /** Makes the set immutable. */
    public ServedFormats {
        formats = Set.copyOf(formats);
    }

    /** Which one is chosen where none is set: the native format where it can be used, else crd; empty when neither can. */
    public Optional<ApiFormat> preferred() {
        if (formats.contains(ApiFormat.NATIVE)) {
            return Optional.of(ApiFormat.NATIVE);
        }
        return formats.stream().findFirst();
    }
}
