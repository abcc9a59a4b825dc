package io.cle.coordinator.actuate;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

import io.cle.coordinator.cluster.RightsCheck;
import io.cle.coordinator.control.Coordination;
import io.cle.coordinator.informer.Contact;
import io.cle.coordinator.informer.CoordinatorInformers;
import io.cle.kubernetes.FormatSelection;
import io.cle.runtime.CoordinatedLeaseLock;
import io.cle.runtime.LockSnapshot;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/**
 * Up when this replica could coordinate at once: the API server answers, everything there is has been seen, no right is missing.
 * A standby is as healthy as the one that coordinates.
 */
public class CoordinatorHealthIndicator implements HealthIndicator {

    private final FormatSelection formats;
    private final RightsCheck rights;
    private final CoordinatorInformers informers;
    private final Coordination coordination;
    private final CoordinatedLeaseLock replica;

    /** An indicator for all these. */
    public CoordinatorHealthIndicator(
            FormatSelection formats,
            RightsCheck rights,
            CoordinatorInformers informers,
            Coordination coordination,
            CoordinatedLeaseLock replica) {
        this.formats = formats;
        this.rights = rights;
        this.informers = informers;
        this.coordination = coordination;
        this.replica = replica;
    }

    @Override
    public Health health() {
        List<Contact> contacts = informers.contacts();
        LockSnapshot.Contact lock = replica.snapshot().contact();
        boolean inTouch = contacts.stream().allMatch(Contact::ok) && (!replica.isRunning() || lock.ok());
        Optional<String> missing = rights.problem();
        boolean formatUsable = formats.known().isEmpty() || formats.usable();
        Health.Builder health = inTouch && formatUsable && missing.isEmpty() ? Health.up() : Health.down();
        formats.known()
                .ifPresent(format -> health.withDetail("format", format.name().toLowerCase(Locale.ROOT)));
        health.withDetail("formatReason", formats.reason());
        health.withDetail("coordinating", coordination.coordinating());
        replica.leader().ifPresent(leader -> health.withDetail("coordinator", leader));
        health.withDetail("observed", observed(contacts));
        if (replica.isRunning() && !lock.ok()) {
            health.withDetail("replicaElection", String.valueOf(lock.problem()) + " (since " + lock.since() + ")");
        }
        missing.ifPresent(
                text -> health.withDetail("missingRights", text.lines().toList()));
        return health.build();
    }

    private static Map<String, String> observed(List<Contact> contacts) {
        Map<String, String> kinds = new LinkedHashMap<>();
        contacts.forEach(contact -> kinds.put(contact.kind(), observed(contact)));
        return kinds;
    }

    private static String observed(Contact contact) {
        String since = "since " + contact.since();
        if (contact.problem() != null) {
            return contact.problem() + " (" + since + ")";
        }
        return contact.absence() == null ? since : "none (" + since + "): " + contact.absence();
    }
}
