package io.cle.coordinator;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

import io.cle.InvalidConfigurationException;
import io.cle.Timings;
import io.cle.election.internal.CoordinatorConfig;
import io.cle.election.internal.ElectionPolicy;
import io.cle.election.internal.NamespaceRule;
import io.cle.lock.internal.LockConfig;
import io.cle.model.ObjectKey;
import io.cle.model.internal.Names;
import io.cle.model.internal.PrintableText;
import io.cle.spring.properties.ApiSelection;
import io.cle.spring.properties.internal.Setting;
import io.cle.strategy.internal.Strategies;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;

/**
 * The properties of the coordinator. The methods that evaluate them throw {@link InvalidConfigurationException} if a property is invalid.
 *
 * @param namespaces the namespaces to coordinate in; empty for all
 * @param crossNamespace namespaces whose candidates and lease configurations may name leases of other namespaces; empty for none
 * @param strategies the strategies of leases, by namespace and name of the lease: {@code shop/orders=HighestPriority}
 * @param ackTimeout how long candidates have to acknowledge (safety.md#acknowledgement)
 * @param leaseDuration the lease duration of an elected holder, within which it must renew; whole seconds
 * @param api the wire format
 * @param replica the election among the coordinator's replicas
 */
@ConfigurationProperties("cle.coordinator")
public record CoordinatorProperties(
        @DefaultValue Set<String> namespaces,
        @DefaultValue Set<String> crossNamespace,
        @DefaultValue Map<String, String> strategies,
        @DefaultValue("5s") Duration ackTimeout,
        @DefaultValue("15s") Duration leaseDuration,
        @DefaultValue("auto") ApiSelection api,
        @DefaultValue Replica replica) {

    /** How long a replica drains: only a few requests are in progress, which take no longer than their timeouts. */
    private static final Duration DRAIN = Duration.ofSeconds(10);

    /**
     * The election among the coordinator's replicas.
     *
     * @param lease the name of the lease that the replicas race for, in the namespace of the coordinator's pod
     */
    public record Replica(
            @DefaultValue("coordinated-election-controller") String lease) {}

    /**
     * Returns the configuration of elections.
     *
     * @param environment the environment from which the properties were bound
     * @param known the strategies on the class path
     */
    CoordinatorConfig election(ConfigurableEnvironment environment, Strategies known) {
        namespaces.forEach(name -> check("namespaces", name, Names::problemOfNamespace));
        crossNamespace.forEach(name -> check("cross-namespace", name, Names::problemOfNamespace));
        if (ackTimeout.isNegative() || ackTimeout.isZero()) {
            throw invalid("ack-timeout", ackTimeout, "must be above zero", "Give candidates time to answer: 5s.");
        }
        if (leaseDuration.toSeconds() < 1 || !leaseDuration.equals(leaseDuration.truncatedTo(ChronoUnit.SECONDS))) {
            throw invalid(
                    "lease-duration",
                    leaseDuration,
                    "must be whole seconds, as the Lease object counts in seconds",
                    "Set it to at least one whole second, such as 15s.");
        }
        Map<ObjectKey, String> byLease = new HashMap<>();
        strategiesByLease(environment).forEach((lease, strategy) -> {
            String property = "strategies[" + lease + "]";
            if (known.find(strategy).isEmpty()) {
                throw invalid(
                        property,
                        strategy,
                        "no such strategy is known here",
                        "Choose one of " + String.join(", ", known.names())
                                + ", or put the jar with your own strategy on the class path (-Dloader.path).");
            }
            byLease.put(lease(property, lease), strategy);
        });
        return new CoordinatorConfig(
                known, byLease, new ElectionPolicy(ackTimeout, leaseDuration), new NamespaceRule(crossNamespace));
    }

    /**
     * Returns the strategies by lease. Spring Boot keeps slashes only in keys in brackets, and silently drops them from
     * {@code cle.coordinator.strategies.shop/orders}.
     */
    private Map<String, String> strategiesByLease(ConfigurableEnvironment environment) {
        String prefix = "cle.coordinator.strategies.";
        Map<String, String> restored = new LinkedHashMap<>(strategies);
        environment.getPropertySources().stream()
                .flatMap(source -> source instanceof EnumerablePropertySource<?> enumerable
                        ? Stream.of(enumerable.getPropertyNames())
                        : Stream.empty())
                .filter(name -> name.startsWith(prefix) && name.indexOf('/') > 0)
                .map(name -> name.substring(prefix.length()))
                .forEach(key -> {
                    String strategy = restored.remove(key.replaceAll("[^A-Za-z0-9.-]", ""));
                    if (strategy != null) {
                        restored.putIfAbsent(key, strategy);
                    }
                });
        return restored;
    }

    private static ObjectKey lease(String property, String key) {
        try {
            ObjectKey lease = ObjectKey.parse(key);
            check(property, lease.namespace(), Names::problemOfNamespace);
            check(property, lease.name(), Names::problemOfName);
            return lease;
        } catch (IllegalArgumentException e) {
            throw invalid(
                    property,
                    key,
                    "must have the namespace and the name of a lease as its key",
                    "Write the key with a slash, such as cle.coordinator.strategies.shop/orders.");
        }
    }

    /**
     * Returns the lock that the coordinator's replicas race for.
     *
     * @param namespace the namespace of this process
     * @param identity a name that no other process has
     */
    LockConfig replicaLock(String namespace, String identity) {
        check("replica.lease", replica.lease(), Names::problemOfName);
        return LockConfig.racing(new ObjectKey(namespace, replica.lease()), identity, Timings.DEFAULT, DRAIN);
    }

    private static void check(String property, String name, Function<String, Optional<String>> problem) {
        problem.apply(name).ifPresent(rule -> {
            throw invalid(
                    property, PrintableText.text(name), rule, "Leave it out, or use a name that Kubernetes allows.");
        });
    }

    private static InvalidConfigurationException invalid(String property, Object value, String rule, String action) {
        String name = "cle.coordinator." + property;
        return new InvalidConfigurationException(name, Setting.text(value), rule, name + ": " + action);
    }
}
