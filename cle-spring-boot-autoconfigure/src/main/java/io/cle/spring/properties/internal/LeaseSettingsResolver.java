package io.cle.spring.properties.internal;

import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

import io.cle.ConfigurationProblem;
import io.cle.InvalidConfigurationException;
import io.cle.ResourceLock;
import io.cle.Timings;
import io.cle.model.ObjectKey;
import io.cle.model.internal.Names;
import io.cle.spring.properties.Mode;
import io.cle.strategy.internal.Strategies;

/**
 * Makes of what was written what holds for each lease, and finds all that is wrong with it before anything starts. Does no I/O.
 */
final class LeaseSettingsResolver {

    /** Stands in for a name that is missing, so that the other properties can be checked too. */
    private static final String ANY_NAME = "application";

    /** Stands in for a name that can't be used, so that the other properties can be checked too. */
    private static final String UNUSABLE = "unusable-";

    private final ProcessFacts facts;
    private final CandidateSettingsResolver candidates;
    private final Set<ConfigurationProblem> problems = new LinkedHashSet<>();

    LeaseSettingsResolver(ProcessFacts facts, Strategies strategies) {
        this.facts = facts;
        candidates = new CandidateSettingsResolver(facts.version(), strategies, problems);
    }

    /**
     * What holds for a lease, but for its namespace if none is configured: finding it may need a cluster.
     *
     * @param in what holds for it in a namespace
     */
    record Resolved(Setting<String> name, Setting<Optional<String>> namespace, Function<String, LeaseSettings> in) {}

    /**
     * Judges what was written.
     *
     * @throws InvalidConfigurationException with everything that is wrong
     */
    List<Resolved> resolve(List<BoundLease> leases) {
        List<Resolved> resolved = leases.stream().map(this::resolve).toList();
        failOnProblems();
        return resolved;
    }

    /**
     * The settings of all leases.
     *
     * @throws InvalidConfigurationException if the namespace of this process can't be used, or two leases are the same
     */
    List<LeaseSettings> place(List<Resolved> leases) {
        Map<Setting<String>, LeaseSettings> settings = new LinkedHashMap<>();
        for (Resolved lease : leases) {
            Setting<Optional<String>> namespace = lease.namespace();
            String found = namespace.value().orElseGet(facts.namespace());
            checkNamespace(namespace.property(), found);
            settings.put(lease.name(), lease.in().apply(found));
        }
        refuseTwins(settings);
        failOnProblems();
        return List.copyOf(settings.values());
    }

    void refuseAClusterBesideStandalone(CleProperties properties) {
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
            throw new InvalidConfigurationException(List.copyOf(problems));
        }
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

    private Resolved resolve(BoundLease lease) {
        LeaseProperties values = lease.values();
        Setting<String> name = leaseName(lease);
        Setting<Optional<String>> namespace = lease.optional("namespace", values.namespace());
        namespace.value().ifPresent(configured -> checkNamespace(namespace.property(), configured));
        ResourceLock resourceLock = values.resourceLock();
        Setting<Duration> drainTimeout = lease.setting("drain-timeout", values.drainTimeout());
        Setting<Duration> fallbackDelay =
                lease.setting("fallback.delay", values.fallback().delay());
        String identity = identity(lease.optional("identity", values.identity()), name, resourceLock);
        Timings timings = timings(lease);
        requireInRange(drainTimeout);
        requireInRange(fallbackDelay);
        CandidateSettings candidate = candidates.resolve(lease);
        return new Resolved(
                name,
                namespace,
                place -> new LeaseSettings(
                        lease.name() == null ? name.value() : lease.name(),
                        new ObjectKey(place, name.value()),
                        identity,
                        resourceLock,
                        values.api(),
                        timings,
                        drainTimeout.value(),
                        candidate,
                        values.fallback().enabled(),
                        fallbackDelay.value(),
                        values.onLost()));
    }

    private Setting<String> leaseName(BoundLease lease) {
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

    private Setting<String> writtenName(BoundLease lease) {
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

    private void checkNamespace(String property, String name) {
        Names.problemOfNamespace(name)
                .ifPresent(problem -> problems.add(new ConfigurationProblem(
                        property, name, "it " + problem, "Set " + property + " to the namespace of the leases.")));
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

    private Timings timings(BoundLease lease) {
        LeaseProperties values = lease.values();
        Map<String, Setting<Duration>> byName = Map.of(
                "lease-duration", lease.setting("lease-duration", values.leaseDuration()),
                "renew-deadline", lease.setting("renew-deadline", values.renewDeadline()),
                "retry-period", lease.setting("retry-period", values.retryPeriod()));
        boolean tooLong = false;
        for (String name : List.of("lease-duration", "renew-deadline", "retry-period")) {
            // Each of them is reported.
            tooLong |= reportIfTooLong(setting(byName, name));
        }
        if (tooLong) {
            return Timings.DEFAULT;
        }
        Timings timings = new Timings(values.leaseDuration(), values.renewDeadline(), values.retryPeriod());
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

    private void requireInRange(Setting<Duration> setting) {
        if (!reportIfTooLong(setting) && setting.value().isNegative()) {
            problems.add(setting.problem("it must not be negative", "Set " + setting.property() + " to 0s or above."));
        }
    }

    private boolean reportIfTooLong(Setting<Duration> setting) {
        return reportIfTooLong(setting, problems);
    }

    /** Reports a duration that is longer than any clock counts; returns whether it is. */
    static boolean reportIfTooLong(Setting<Duration> setting, Collection<ConfigurationProblem> problems) {
        boolean tooLong = setting.value().compareTo(Timings.LONGEST) > 0;
        if (tooLong) {
            problems.add(setting.problem(
                    "it must be at most " + Timings.LONGEST.toDays() + "d",
                    "Set " + setting.property() + " to " + Timings.LONGEST.toDays() + "d or below."));
        }
        return tooLong;
    }
}
