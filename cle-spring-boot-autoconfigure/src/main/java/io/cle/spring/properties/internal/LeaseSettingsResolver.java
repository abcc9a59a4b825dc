package io.cle.spring.properties.internal;

import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import io.cle.ConfigurationProblem;
import io.cle.InvalidConfigurationException;
import io.cle.Timings;
import io.cle.lock.internal.LockConfig;
import io.cle.model.ObjectKey;
import io.cle.model.internal.Names;
import io.cle.spring.properties.Mode;
import io.cle.spring.properties.internal.LeaseBinder.Bound;
import io.cle.strategy.internal.Strategies;

/** Resolves the settings of leases from their properties, and reports all problems before anything starts. Does no I/O. */
public final class LeaseSettingsResolver {

    /** Replaces a missing name, so that the other properties can be checked, too. */
    private static final String ANY_NAME = "application";

    /** Replaces an invalid name, so that the other properties can be checked, too. */
    private static final String UNUSABLE = "unusable-";

    private final ProcessFacts facts;
    private final CandidateSettingsResolver candidates;
    private final Set<ConfigurationProblem> problems = new LinkedHashSet<>();

    /**
     * Creates a resolver for one set of properties.
     *
     * @param strategies the strategies that candidates may ask for by their plain names
     */
    public LeaseSettingsResolver(ProcessFacts facts, Strategies strategies) {
        this.facts = facts;
        candidates = new CandidateSettingsResolver(facts, strategies, problems);
    }

    /**
     * Checks everything that doesn't need the namespace of this process, which may need a cluster.
     *
     * @throws InvalidConfigurationException with everything that is wrong
     */
    public void check(List<Bound> leases) {
        leases.forEach(this::check);
        failOnProblems();
    }

    /** Records a problem for the next {@link #check} if the mode is standalone and properties name a cluster. */
    public void refuseAClusterBesideStandalone(CleProperties properties) {
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

    private void check(Bound lease) {
        LeaseProperties values = lease.values();
        Setting<String> name = leaseName(lease);
        Setting<Optional<String>> namespace = lease.optional("namespace", values.namespace());
        namespace.value().ifPresent(configured -> checkNamespace(namespace.property(), configured));
        identity(lease, name);
        timings(lease);
        requireInRange(lease.setting("drain-timeout", values.drainTimeout()));
        requireInRange(lease.setting("fallback.delay", values.fallback().delay()));
        candidates.check(lease);
    }

    /**
     * Returns the settings of leases that were checked. Looks up the namespace of this process if none is configured.
     *
     * @throws InvalidConfigurationException if that namespace can't be used, or two leases are the same
     */
    public List<LeaseSettings> settings(List<Bound> leases) {
        List<String> namespaces = leases.stream().map(this::namespace).toList();
        failOnProblems();
        Map<Setting<String>, LeaseSettings> settings = new LinkedHashMap<>();
        for (int i = 0; i < leases.size(); i++) {
            settings.put(leaseName(leases.get(i)), settings(leases.get(i), namespaces.get(i)));
        }
        refuseTwins(settings);
        failOnProblems();
        return List.copyOf(settings.values());
    }

    private String namespace(Bound lease) {
        Setting<Optional<String>> configured =
                lease.optional("namespace", lease.values().namespace());
        String namespace = configured.value().orElseGet(facts.namespace());
        checkNamespace(configured.property(), namespace);
        return namespace;
    }

    private LeaseSettings settings(Bound lease, String namespace) {
        LeaseProperties values = lease.values();
        Setting<String> name = leaseName(lease);
        ObjectKey key = new ObjectKey(namespace, name.value());
        String identity = identity(lease, name);
        LockConfig config = new LockConfig(
                key,
                identity,
                timings(lease),
                values.drainTimeout(),
                new LockConfig.Fallback(
                        values.fallback().enabled(), values.fallback().delay()),
                values.resourceLock().coordinated()
                        ? candidates.candidacy(lease, key, new ObjectKey(namespace, identity))
                        : null,
                null,
                LockConfig.renewTimeStepOf(values.resourceLock()));
        return new LeaseSettings(
                lease.name() == null ? name.value() : lease.name(), values, config, candidates.keyOrder(lease));
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

    private Setting<String> leaseName(Bound lease) {
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

    private Setting<String> writtenName(Bound lease) {
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

    /** Returns the identity. For coordinated leases it is part of the candidate's name; otherwise it is free text in the record. */
    private String identity(Bound lease, Setting<String> leaseName) {
        Setting<Optional<String>> setting =
                lease.optional("identity", lease.values().identity());
        String identity = setting.value().orElseGet(facts::identity);
        if (!lease.values().resourceLock().coordinated()) {
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

    private Timings timings(Bound lease) {
        LeaseProperties values = lease.values();
        Map<String, Setting<Duration>> byName = Map.of(
                "lease-duration", lease.setting("lease-duration", values.leaseDuration()),
                "renew-deadline", lease.setting("renew-deadline", values.renewDeadline()),
                "retry-period", lease.setting("retry-period", values.retryPeriod()));
        boolean tooLong = false;
        for (String name : List.of("lease-duration", "renew-deadline", "retry-period")) {
            // No short circuit: each of them is reported.
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

    /** Reports a duration that is too long for a clock; returns whether it is. */
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
