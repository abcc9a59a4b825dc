package io.cle.coordinator.settings;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

import io.cle.ApiFormat;
import io.cle.InvalidConfigurationException;
import io.cle.Timings;
import io.cle.election.internal.CoordinatorConfig;
import io.cle.election.internal.ElectionPolicy;
import io.cle.election.internal.NamespaceRule;
import io.cle.lock.internal.LockConfig;
import io.cle.model.ObjectKey;
import io.cle.model.internal.Names;
import io.cle.model.internal.PrintableText;
import io.cle.spring.properties.internal.Setting;
import io.cle.strategy.internal.Strategies;

/**
 * The validated settings of a coordinator.
 *
 * @param namespaces the namespaces to coordinate in; empty for all
 * @param election the strategies and timing rules of elections
 * @param format the wire format; empty to use one that the API server serves
 * @param replica the lock that the coordinator's replicas race for
 */
public record CoordinatorSettings(
        Set<String> namespaces, CoordinatorConfig election, Optional<ApiFormat> format, LockConfig replica) {

    /** Makes the set immutable. */
    public CoordinatorSettings {
        namespaces = Set.copyOf(namespaces);
    }

    /**
     * Validates the properties and creates settings from them.
     *
     * @param strategiesByLease by {@link CoordinatorProperties#strategiesByLease}
     * @param strategies the strategies on the class path
     * @param ownNamespace the namespace of this process
     * @param ownIdentity a name that no other process has
     * @throws InvalidConfigurationException if a property is invalid
     */
    public static CoordinatorSettings of(
            CoordinatorProperties properties,
            Map<String, String> strategiesByLease,
            Strategies strategies,
            String ownNamespace,
            String ownIdentity) {
        return new Check(strategies, ownNamespace, ownIdentity).settings(properties, strategiesByLease);
    }

    /** Validates the properties; the first one that is invalid fails. */
    private record Check(Strategies strategies, String ownNamespace, String ownIdentity) {

        /** How long a replica drains: only a few requests are in progress, which take no longer than their timeouts. */
        private static final Duration DRAIN = Duration.ofSeconds(10);

        private static final String PREFIX = "cle.coordinator.";

        CoordinatorSettings settings(CoordinatorProperties properties, Map<String, String> strategiesByLease) {
            properties.namespaces().forEach(namespace -> checkNamespace("namespaces", namespace));
            properties.crossNamespace().forEach(namespace -> checkNamespace("cross-namespace", namespace));
            ElectionPolicy policy = new ElectionPolicy(
                    properties.ackTimeout(),
                    properties.leaseDuration(),
                    properties.preemption().stabilization());
            check(policy);
            Map<ObjectKey, String> byLease = byLease(strategiesByLease);
            ObjectKey replicaLease = replicaLease(properties.replica());
            return new CoordinatorSettings(
                    properties.namespaces(),
                    new CoordinatorConfig(strategies, byLease, policy, new NamespaceRule(properties.crossNamespace())),
                    properties.api().pinned(),
                    LockConfig.racing(
                            replicaLease,
                            Objects.requireNonNullElse(properties.replica().identity(), ownIdentity),
                            Timings.DEFAULT,
                            DRAIN));
        }

        private void check(ElectionPolicy policy) {
            checkLongest("ack-timeout", policy.ackTimeout());
            checkLongest("lease-duration", policy.leaseDuration());
            checkLongest("preemption.stabilization", policy.stabilization());
            if (policy.ackTimeout().isNegative() || policy.ackTimeout().isZero()) {
                throw problem(
                        "ack-timeout",
                        policy.ackTimeout(),
                        "must be above zero",
                        "Give candidates time to answer: 5s.");
            }
            Duration lease = policy.leaseDuration();
            if (lease.compareTo(Duration.ofSeconds(1)) < 0) {
                throw problem("lease-duration", lease, "must be at least 1s", "Set it to whole seconds, such as 15s.");
            }
            if (!lease.equals(Duration.ofSeconds(lease.toSeconds()))) {
                throw problem(
                        "lease-duration",
                        lease,
                        "must be whole seconds, as the Lease object counts in seconds",
                        "Set it to whole seconds, such as " + lease.toSeconds() + "s.");
            }
            if (policy.stabilization().isNegative()) {
                throw problem(
                        "preemption.stabilization",
                        policy.stabilization(),
                        "must not be negative",
                        "Set it to 0s to let better candidates take over at once.");
            }
        }

        private void checkLongest(String property, Duration duration) {
            if (duration.compareTo(Timings.LONGEST) > 0) {
                throw problem(
                        property,
                        duration,
                        "must be at most " + Timings.LONGEST.toDays() + "d",
                        "Set it to " + Timings.LONGEST.toDays() + "d or below.");
            }
        }

        private Map<ObjectKey, String> byLease(Map<String, String> properties) {
            Map<ObjectKey, String> byLease = new TreeMap<>();
            properties.forEach((lease, strategy) -> {
                String property = "strategies[" + lease + "]";
                Optional<ObjectKey> key = leaseOf(lease);
                if (key.isEmpty()) {
                    throw problem(
                            property,
                            strategy,
                            "must have the namespace and the name of a lease as its key",
                            "Write the key with a slash, such as cle.coordinator.strategies.shop/orders.");
                } else if (strategies.find(strategy).isEmpty()) {
                    throw problem(
                            property,
                            strategy,
                            "no such strategy is known here",
                            "Choose one of " + String.join(", ", strategies.names())
                                    + ", or put the jar with your own strategy on the class path (-Dloader.path).");
                } else {
                    byLease.put(key.get(), strategy);
                }
            });
            return byLease;
        }

        private static Optional<ObjectKey> leaseOf(String text) {
            try {
                ObjectKey key = ObjectKey.parse(text);
                boolean valid = Names.problemOfNamespace(key.namespace()).isEmpty()
                        && Names.problemOfName(key.name()).isEmpty();
                return valid ? Optional.of(key) : Optional.empty();
            } catch (IllegalArgumentException e) {
                return Optional.empty();
            }
        }

        private ObjectKey replicaLease(CoordinatorProperties.Replica replica) {
            String namespace = Objects.requireNonNullElse(replica.namespace(), ownNamespace);
            checkNamespace("replica.namespace", namespace);
            Names.problemOfName(replica.lease()).ifPresent(rule -> {
                throw problem(
                        "replica.lease",
                        replica.lease(),
                        rule,
                        "Leave it out, or name a lease of the coordinators' own.");
            });
            String identity = replica.identity();
            if (identity != null) {
                Names.problemOfIdentity(identity).ifPresent(rule -> {
                    throw problem(
                            "replica.identity",
                            PrintableText.text(identity),
                            rule,
                            "Leave it out, or name this replica.");
                });
            }
            return new ObjectKey(namespace, replica.lease());
        }

        private static void checkNamespace(String property, String namespace) {
            Names.problemOfNamespace(namespace).ifPresent(rule -> {
                throw problem(property, namespace, rule, "Name an existing namespace.");
            });
        }

        private static InvalidConfigurationException problem(
                String property, Object value, String rule, String action) {
            String name = PREFIX + property;
            return new InvalidConfigurationException(name, Setting.text(value), rule, name + ": " + action);
        }
    }
}
