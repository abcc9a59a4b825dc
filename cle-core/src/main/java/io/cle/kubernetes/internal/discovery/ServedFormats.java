package io.cle.kubernetes.internal.discovery;

import java.util.List;
import java.util.Optional;

import io.cle.ApiFormat;
import io.cle.kubernetes.internal.transport.ResourceType;

/**
 * Which kinds of candidates an API server can be used with.
 *
 * @param kinds those that can be used, the one to prefer first
 * @param reason for a person: why these, or why none
 */
public record ServedFormats(List<ResourceType> kinds, String reason) {

    /** Makes the list immutable. */
    public ServedFormats {
        kinds = List.copyOf(kinds);
    }

    /**
     * Which kind is chosen.
     *
     * @param pinned the format that was set; empty for any
     */
    Optional<ResourceType> choose(Optional<ApiFormat> pinned) {
        return kinds.stream()
                .filter(kind -> pinned.isEmpty() || pinned.get() == kind.format())
                .findFirst();
    }
}
