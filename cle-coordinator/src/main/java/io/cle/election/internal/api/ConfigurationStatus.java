package io.cle.election.internal.api;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import io.cle.model.ObjectKey;
import org.jspecify.annotations.Nullable;

/**
 * The status of a {@link LeaseConfiguration}, which shows whether the configuration is effective, and if not, why.
 *
 * @param observedGeneration the generation of the configuration that the conditions describe
 * @param conditions one condition per type
 */
public record ConfigurationStatus(long observedGeneration, List<Condition> conditions) {

    /** The status of a configuration that no coordinator has seen. */
    public static final ConfigurationStatus NONE = new ConfigurationStatus(0, List.of());

    /**
     * A condition, as defined by Kubernetes.
     *
     * @param type {@code Accepted}, {@code Conflicted} or {@code UnknownStrategy}
     * @param holds whether it holds
     * @param reason a CamelCase word
     * @param message a description for people
     * @param since when {@code holds} last changed, in whole seconds; {@code null} if the stored status has no time
     */
    public record Condition(
            String type,
            boolean holds,
            String reason,
            String message,
            @Nullable Instant since) {}

    /**
     * Computes the status of a configuration.
     *
     * @param foreign whether it names leases of another namespace, which is not allowed
     * @param rivals all configurations with the same target, the effective one first; empty if this one may not name it
     * @param strategyProblem why its strategy can't be used
     */
    public static ConfigurationStatus of(
            LeaseConfiguration configuration,
            boolean foreign,
            Collection<LeaseConfiguration> rivals,
            Optional<String> strategyProblem,
            Instant now) {
        String target = configuration.targetLease().toString();
        Optional<ObjectKey> inForce = rivals.stream().findFirst().map(LeaseConfiguration::key);
        Condition conflicted = rivals.stream()
                .map(LeaseConfiguration::key)
                .filter(key -> !key.equals(configuration.key()))
                .findFirst()
                .map(other -> new Condition(
                        "Conflicted",
                        true,
                        "SeveralConfigurations",
                        other + " names " + target + ", too; " + inForce.orElse(other) + " applies",
                        now))
                .orElse(new Condition("Conflicted", false, "OnlyOne", "no other one names " + target, now));
        String known = "the coordinator knows " + configuration.strategy();
        Condition unknown = strategyProblem
                .map(problem -> new Condition("UnknownStrategy", true, "UnknownStrategy", problem, now))
                .orElse(new Condition("UnknownStrategy", false, "KnownStrategy", known, now));
        String reason = "InForce";
        String message =
                "applies to " + target + ", unless the annotation of a lease, or a configuration that names it more"
                        + " exactly, asks for another strategy";
        if (foreign) {
            reason = "ForeignNamespace";
            message = target + " is of another namespace; the coordinator's administrator can allow that"
                    + " (cle.coordinator.cross-namespace)";
        } else if (unknown.holds()) {
            reason = unknown.reason();
            message = unknown.message() + "; no coordinator elects for the lease";
        } else if (!inForce.equals(Optional.of(configuration.key()))) {
            reason = conflicted.reason();
            message = conflicted.message();
        }
        Condition accepted = new Condition("Accepted", reason.equals("InForce"), reason, message, now);
        ConfigurationStatus stored = configuration.status();
        return new ConfigurationStatus(
                configuration.generation(),
                Stream.of(accepted, conflicted, unknown).map(stored::withTime).toList());
    }

    /** Returns a condition with the stored time if it hasn't changed. */
    private Condition withTime(Condition next) {
        Instant since = conditions.stream()
                .filter(before -> before.type().equals(next.type()) && before.holds() == next.holds())
                .findFirst()
                .map(Condition::since)
                .orElse(next.since());
        return new Condition(
                next.type(),
                next.holds(),
                next.reason(),
                next.message(),
                since == null ? null : since.truncatedTo(ChronoUnit.SECONDS));
    }
}
