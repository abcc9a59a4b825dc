package io.cle.web.view;

import java.time.Instant;
import java.util.List;

import io.cle.api.ApiFormat;
import io.cle.election.ElectionPolicy;
import org.jspecify.annotations.Nullable;

/**
 * What one replica of the coordinator knows at an instant. Immutable.
 *
 * @param time when, by the coordinator's clock
 * @param coordinating whether this replica coordinates; a standby observes and decides nothing
 * @param coordinator which replica coordinates; {@code null} when none is known to
 * @param contacts how the watches of the API server are doing
 * @param policy by what the coordinator elects
 * @param format the wire format; {@code null} until it is known
 * @param leases the leases that were asked for
 */
public record CoordinatorSnapshot(
        Instant time,
        boolean coordinating,
        @Nullable String coordinator,
        List<Contact> contacts,
        ElectionPolicy policy,
        @Nullable ApiFormat format,
        List<LeaseSnapshot> leases) {

    /** The lists become immutable. */
    public CoordinatorSnapshot {
        contacts = List.copyOf(contacts);
        leases = List.copyOf(leases);
    }

    /**
     * How one watch of the API server is doing.
     *
     * @param kind what it watches, in the plural
     * @param since since when it has been like this
     * @param problem why nothing new is seen; {@code null} when all is well
     */
    public record Contact(
            String kind, Instant since, @Nullable String problem) {}
}
