package io.cle.kubernetes.internal.discovery;

import java.util.List;
import java.util.Optional;

import io.cle.ApiFormat;
import io.cle.kubernetes.internal.transport.ResourceType;

/**
 * The kinds of candidates that an API server supports.
 *
 * @param kinds the usable kinds, the preferred one first
 * @param reason why these kinds are usable, or why none is, for display
 */
public record ServedFormats(List<ResourceType> kinds, String reason) {

    /** Makes the list immutable. */
    public ServedFormats {
        kinds = List.copyOf(kinds);
    }

    /**
     * Chooses a kind.
     *
     * @param pinned the configured format; empty for any
     */
    Optional<ResourceType> choose(Optional<ApiFormat> pinned) {
        return kinds.stream()
                .filter(kind -> pinned.isEmpty() || pinned.get() == kind.format())
                .findFirst();
    }
}
