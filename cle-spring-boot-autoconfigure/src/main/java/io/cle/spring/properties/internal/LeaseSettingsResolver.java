package io.cle.spring.properties.internal;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

import io.cle.model.Names;
import io.cle.model.ObjectKey;
import io.cle.model.Timings;
import io.cle.spring.properties.CleProperties;
import io.cle.spring.properties.ConfigurationProblem;
import io.cle.spring.properties.InvalidCleConfigurationException;
import io.cle.spring.properties.LeaseSettings;
import io.cle.spring.properties.Mode;
import io.cle.spring.properties.ResourceLock;
import io.cle.strategy.Strategies;

/**
 * Makes of what was written what holds for each lease, and finds all that is wrong with it before anything starts. Does no I/O.
 */
final class LeaseSettingsResolver {

    /** Stands in for a name that is missing, so that the other properties can be checked too. */
    private static final String ANY_NAME = "application";

    /** Stands in for the namespace of this process as long as it isn't asked for. */
    private static final String ANY_NAMESPACE = "default";

    /** Stands in for a name that can't be used, so that the other properties can be checked too. */
    private static final String UNUSABLE = "unusable-";

    private final CleProperties properties;
    private final ProcessFacts facts;
    private final Supplier<String> namespace;
    private final CandidateSettingsResolver candidates;
    private final Set<ConfigurationProblem> problems = new LinkedHashSet<>();

    private LeaseSettingsResolver(
            CleProperties properties, ProcessFacts facts, Strategies strategies, Supplier<String> namespace) {
        this.properties = properties;
        this.facts = facts;
        this.namespace = namespace;
        candidates = new CandidateSettingsResolver(facts.version(), strategies, problems);
    }

    /**
     * Judges what was written, before a cluster is looked for: without one the start fails too, but for another reason.
     *
     * @throws InvalidCleConfigurationException with everything that is wrong
     */
    static void check(CleProperties properties, ProcessFacts facts, Strategies strategies) {
        LeaseSettingsResolver written = new LeaseSettingsResolver(properties, facts, strategies, () -> ANY_NAMESPACE);
        written.refuseAClusterBesideStandalone();
        written.resolveAll();
        written.failOnProblems();
    }

    /**
     * The settings of all leases, the default one first.
     *
     * @throws InvalidCleConfigurationException with everything that is wrong
     */
    static List<LeaseSettings> resolve(CleProperties properties, ProcessFacts facts, Strategies strategies) {
        LeaseSettingsResolver complete = new LeaseSettingsResolver(properties, facts, strategies, facts.namespace());
        Map<Setting<String>, LeaseSettings> settings = complete.resolveAll();
        complete.refuseTwins(settings);
        complete.failOnProblems();
        return List.copyOf(settings.values());
    }

    private void refuseAClusterBesideStandalone() {
        if (properties.mode() == Mode.STANDALONE) {
            properties
                    .kubernetes()
                    .written()
                    .forEach((property, value) -> problems.add(new ConfigurationProblem(
                            "cle.mode",
                            "standalone",
                            "contradicts " + property + " = '" + value
                                    + "': a process that leads by itself joins no cluster",
                            "Remove " + property + ", or set cle.mode to kubernetes.")));
        }
    }

    private void failOnProblems() {
        if (!problems.isEmpty()) {
            throw new InvalidCleConfigurationException(List.copyOf(problems));
        }
    }

    private Map<Setting<String>, LeaseSettings> resolveAll() {
        Map<Setting<String>, LeaseSettings> settings = new LinkedHashMap<>();
        add(settings, EffectiveProperties.ofDefault(properties));
        properties
                .leases()
                .entrySet()
                .forEach(lease -> add(settings, EffectiveProperties.ofFurther(properties, lease)));
        return settings;
    }

    private void add(Map<Setting<String>, LeaseSettings> settings, EffectiveProperties lease) {
        Setting<String> name = leaseName(lease);
        settings.put(name, resolve(lease, name));
    }

    private void refuseTwins(Map<Setting<String>, LeaseSettings> settings) {
        Map<ObjectKey, String> properties = new LinkedHashMap<>();
        Map<String, String> names = new LinkedHashMap<>();
        settings.forEach((name, lease) -> {
            String other = properties.putIfAbsent(lease.lease(), name.property());
            String namesake = names.putIfAbsent(lease.name(), name.property());
            if (other != null || namesake != null) {
                problems.add(name.problem(
                        other != null
                                ? "the lease " + lease.lease() + " is already that of " + other
                                : "a lease is already called so by " + namesake,
                        "Give one of them another name or another namespace, or remove it."));
            }
        });
    }

    private LeaseSettings resolve(EffectiveProperties lease, Setting<String> name) {
        String namespace = namespace(lease.namespace());
        ResourceLock resourceLock = lease.resourceLock().value();
        List<Setting<Duration>> tooLong = lease.durations().stream()
                .filter(duration -> duration.value().compareTo(Timings.LONGEST) > 0)
                .toList();
        tooLong.forEach(duration -> problems.add(duration.problem(
                "it must be at most " + Timings.LONGEST.toDays() + "d",
                "Set " + duration.property() + " to " + Timings.LONGEST.toDays() + "d or below.")));
        requireAtLeast(lease.drainTimeout(), Duration.ZERO);
        requireAtLeast(lease.fallbackDelay(), Duration.ZERO);
        return new LeaseSettings(
                lease.name() == null ? name.value() : lease.name(),
                new ObjectKey(namespace, name.value()),
                identity(lease.identity(), name, resourceLock),
                resourceLock,
                lease.api().value(),
                tooLong.isEmpty() ? timings(lease) : Timings.DEFAULT,
                lease.drainTimeout().value(),
                candidates.resolve(lease),
                lease.fallbackEnabled().value(),
                lease.fallbackDelay().value(),
                lease.onLost().value());
    }

    private Setting<String> leaseName(EffectiveProperties lease) {
        Setting<String> name = writtenName(lease);
        Optional<String> problem = Names.problemOfName(name.value());
        if (problem.isEmpty()) {
            return name;
        }
        boolean derived = !name.property().endsWith("lease-name");
        problems.add(name.problem(
                (derived ? "as the name of a Lease it " : "it ") + problem.get(),
                derived
                        ? "Set " + lease.leaseName().property() + " to a name that the API server takes."
                        : "Change " + name.property() + "."));
        return new Setting<>(name.property(), UNUSABLE + problems.size());
    }

    private Setting<String> writtenName(EffectiveProperties lease) {
        Setting<Optional<String>> own = lease.leaseName();
        if (own.value().isPresent()) {
            return new Setting<>(own.property(), own.value().get());
        }
        if (lease.name() != null) {
            return new Setting<>("cle.leases." + lease.name(), lease.name());
        }
        String applicationName = facts.applicationName();
        if (applicationName != null && applicationName.isBlank()) {
            problems.add(new ConfigurationProblem(
                    "spring.application.name",
                    applicationName,
                    "it is empty, and without " + own.property() + " the default lease is named by it",
                    "Set spring.application.name or " + own.property()
                            + "; all replicas of an application need the same."));
            return new Setting<>("spring.application.name", ANY_NAME);
        }
        if (applicationName != null) {
            return new Setting<>("spring.application.name", applicationName);
        }
        problems.add(own.problem(
                "there is no spring.application.name either to name the lease by",
                "Set spring.application.name or " + own.property()
                        + "; all replicas of an application need the same."));
        return new Setting<>(own.property(), ANY_NAME);
    }

    private String namespace(Setting<Optional<String>> setting) {
        String name = setting.value().orElseGet(namespace);
        Optional<String> problem = Names.problemOfNamespace(name);
        if (problem.isEmpty()) {
            return name;
        }
        problems.add(new ConfigurationProblem(
                setting.property(),
                name,
                "it " + problem.get(),
                "Set " + setting.property() + " to the namespace that the leases are to stand in."));
        return UNUSABLE + problems.size();
    }

    /** For coordinated leases the identity is part of the candidate's name; else it is free text in the record. */
    private String identity(Setting<Optional<String>> setting, Setting<String> leaseName, ResourceLock resourceLock) {
        String identity = setting.value().orElseGet(facts::identity);
        if (!resourceLock.coordinated()) {
            Names.problemOfIdentity(identity)
                    .ifPresent(reason -> problems.add(setting.problem(
                            "it " + reason, "Set or remove " + setting.property() + "; it has a default.")));
            return identity;
        }
        String candidate = leaseName.value() + "-" + identity;
        Optional<String> own = Names.problemOfName(identity);
        Optional<String> problem = own.isPresent() ? own : Names.problemOfName(candidate);
        problem.ifPresent(reason -> problems.add(new ConfigurationProblem(
                setting.property(),
                identity,
                own.isPresent()
                        ? "it " + reason + ", as the candidate is named <lease>-<identity>"
                        : "the candidate's name '" + candidate + "' " + reason,
                own.isPresent()
                        ? "Change " + setting.property() + "."
                        : "Shorten " + setting.property() + " or " + leaseName.property() + ".")));
        return candidate;
    }

    private Timings timings(EffectiveProperties lease) {
        Map<String, Setting<Duration>> byName = Map.of(
                "lease-duration", lease.leaseDuration(),
                "renew-deadline", lease.renewDeadline(),
                "retry-period", lease.retryPeriod());
        Timings timings = new Timings(
                lease.leaseDuration().value(),
                lease.renewDeadline().value(),
                lease.retryPeriod().value());
        for (Timings.Problem problem : timings.problems()) {
            Setting<Duration> first = setting(byName, problem.first());
            Setting<Duration> second = setting(byName, problem.second());
            boolean alone = first.equals(second);
            problems.add(first.problem(
                    alone
                            ? "it " + problem.rule()
                            : "contradicts " + second.property() + " = '" + second.text() + "': it " + problem.rule(),
                    "Change " + first.property() + (alone ? "" : " or " + second.property())
                            + "; the defaults are 15s, 10s and 2s."));
        }
        return timings;
    }

    private static Setting<Duration> setting(Map<String, Setting<Duration>> byName, String name) {
        Setting<Duration> setting = byName.get(name);
        if (setting == null) {
            throw new IllegalStateException("no duration is named " + name);
        }
        return setting;
    }

    private void requireAtLeast(Setting<Duration> setting, Duration least) {
        if (setting.value().compareTo(least) < 0) {
            problems.add(setting.problem("it must not be negative", "Set " + setting.property() + " to 0s or above."));
        }
    }
}
