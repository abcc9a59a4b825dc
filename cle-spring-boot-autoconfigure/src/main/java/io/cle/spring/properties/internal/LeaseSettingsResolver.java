package io.cle.spring.properties.internal;

import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

import io.cle.ConfigurationProblem;
import io.cle.InvalidConfigurationException;
import io.cle.ResourceLock;
import io.cle.Timings;
import io.cle.lock.internal.LockConfig;
import io.cle.model.Candidate;
import io.cle.model.LeaseGroup;
import io.cle.model.ObjectKey;
import io.cle.model.internal.Names;
import io.cle.spring.properties.ApiSelection;
import io.cle.spring.properties.Mode;
import io.cle.spring.properties.internal.LeaseBinder.Bound;
import io.cle.strategy.internal.Strategies;
import org.jspecify.annotations.Nullable;

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
        if (lease.name() != null
                && lease.isOwn().test("shards")
                && lease.values().shards() == null) {
            String property = lease.shards().property();
            problems.add(
                    new Setting<>(property, "")
                            .problem(
                                    "it is empty",
                                    "Set " + property
                                            + " to a number, for example to 16, or remove it; is a variable that it refers to unset?"));
        }
        lease.shards().value().ifPresent(shards -> checkShards(lease, name, shards));
        lease.group().value().ifPresent(group -> checkGroup(lease, group));
        lease.spreadBy().ifPresent(property -> requireCoordinator(lease, property));
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
        Map<Setting<String>, List<LeaseSettings>> settings = new LinkedHashMap<>();
        for (int i = 0; i < leases.size(); i++) {
            settings.put(leaseName(leases.get(i)), settings(leases.get(i), namespaces.get(i)));
        }
        refuseTwins(settings);
        checkGroups(leases, settings.values().stream().map(of -> of.get(0)).toList());
        failOnProblems();
        return settings.values().stream().flatMap(List::stream).toList();
    }

    private String namespace(Bound lease) {
        Setting<Optional<String>> configured =
                lease.optional("namespace", lease.values().namespace());
        String namespace = configured.value().orElseGet(facts.namespace());
        checkNamespace(configured.property(), namespace);
        return namespace;
    }

    /** Returns the settings of a lease; if it is led in parts, of each of its shards. */
    private List<LeaseSettings> settings(Bound lease, String namespace) {
        LeaseProperties values = lease.values();
        Setting<String> leaseName = leaseName(lease);
        String name = lease.name() == null ? leaseName.value() : lease.name();
        ObjectKey candidate = new ObjectKey(namespace, identity(lease, leaseName));
        Optional<Integer> shards = lease.shards().value();
        if (shards.isPresent()) {
            LeaseGroup group = new LeaseGroup(namespace, leaseName.value(), shards.get());
            LockConfig.Candidacy common = candidates.candidacy(lease, candidate, Candidate.builder(candidate, group));
            return IntStream.range(0, group.shards())
                    .mapToObj(shard -> new LeaseSettings(
                            name + "-" + group.shards() + "-" + shard,
                            name,
                            values,
                            config(lease, group.lease(shard), candidate.name(), common),
                            null))
                    .toList();
        }
        ObjectKey key = new ObjectKey(namespace, leaseName.value());
        Optional<String> group = lease.group().value();
        if (group.isPresent()) {
            Candidate.Builder template = Candidate.builder(candidate, LeaseGroup.named(namespace, group.get()))
                    .leases(List.of(key));
            return List.of(new LeaseSettings(
                    name,
                    values,
                    config(lease, key, candidate.name(), candidates.candidacy(lease, candidate, template)),
                    null));
        }
        LockConfig.Candidacy own = values.resourceLock().coordinated()
                ? candidates.candidacy(lease, candidate, Candidate.builder(candidate, key))
                : null;
        return List.of(
                new LeaseSettings(name, values, config(lease, key, candidate.name(), own), candidates.keyOrder(lease)));
    }

    private LockConfig config(Bound lease, ObjectKey key, String identity, LockConfig.@Nullable Candidacy candidacy) {
        LeaseProperties values = lease.values();
        return new LockConfig(
                key,
                identity,
                timings(lease),
                values.drainTimeout(),
                new LockConfig.Fallback(
                        values.fallback().enabled() && lease.spreadBy().isEmpty(),
                        values.fallback().delay()),
                candidacy,
                null,
                LockConfig.renewTimeStepOf(values.resourceLock()));
    }

    private void failOnProblems() {
        if (!problems.isEmpty()) {
            throw new InvalidConfigurationException(List.copyOf(problems));
        }
    }

    /**
     * Refuses leases with the same names. A lease that is led in parts has the names of its shards and the name that these have in common:
     * another lease of that name, or another number of shards, would be led by candidates of the same names.
     */
    private void refuseTwins(Map<Setting<String>, List<LeaseSettings>> settings) {
        Map<ObjectKey, String> properties = new LinkedHashMap<>();
        Map<String, String> names = new LinkedHashMap<>();
        settings.forEach((name, leases) -> {
            LeaseSettings first = leases.get(0);
            Set<ObjectKey> ownKeys = new LinkedHashSet<>();
            ownKeys.add(new ObjectKey(first.lease().namespace(), name.value()));
            leases.forEach(lease -> ownKeys.add(lease.lease()));
            Set<String> ownNames = new LinkedHashSet<>();
            ownNames.add(first.commonName());
            leases.forEach(lease -> ownNames.add(lease.name()));
            Optional<ObjectKey> taken =
                    ownKeys.stream().filter(properties::containsKey).findFirst();
            Optional<String> takenName =
                    ownNames.stream().filter(names::containsKey).findFirst();
            if (taken.isPresent() || takenName.isPresent()) {
                problems.add(name.problem(
                        taken.map(key -> "the lease " + key + " is already that of " + properties.get(key))
                                .orElseGet(() -> calledSo(takenName.orElseThrow(), name, names)),
                        "Give one of them another name or another namespace, or remove it."));
            }
            ownKeys.forEach(key -> properties.putIfAbsent(key, name.property()));
            ownNames.forEach(own -> names.putIfAbsent(own, name.property()));
        });
    }

    private static String calledSo(String taken, Setting<String> name, Map<String, String> names) {
        return "a lease is already called " + (taken.equals(name.value()) ? "so" : "'" + taken + "'") + " by "
                + names.get(taken);
    }

    private void checkShards(Bound lease, Setting<String> leaseName, int shards) {
        Setting<Optional<Integer>> setting = lease.shards();
        if (lease.name() == null) {
            problems.add(setting.problem(
                    "the default lease can't be led in parts",
                    "Set cle.leases.<name>.shards for a lease of another name, and name that lease in"
                            + " @OnLeader(lease = \"<name>\")."));
            return;
        }
        if (shards < 1 || shards > LeaseGroup.MOST_SHARDS) {
            problems.add(setting.problem(
                    "it must be between 1 and " + LeaseGroup.MOST_SHARDS,
                    "Set " + setting.property() + " to a few times the number of replicas, for example to 16."));
            return;
        }
        String label = leaseName.value() + "-" + shards;
        if (label.length() > LeaseGroup.LABEL_LENGTH) {
            problems.add(leaseName.problem(
                    "with " + setting.property() + " = '" + shards + "' its Leases have the label '" + label
                            + "', which is longer than " + LeaseGroup.LABEL_LENGTH + " characters",
                    "Set " + lease.leaseName().property() + " to a name of at most "
                            + (LeaseGroup.LABEL_LENGTH
                                    - label.length()
                                    + leaseName.value().length()) + " characters."));
        }
    }

    private void checkGroup(Bound lease, String group) {
        Setting<Optional<String>> setting = lease.group();
        if (lease.name() == null) {
            problems.add(
                    setting.problem(
                            "the default lease can't be in a group",
                            "Set cle.leases.<name>.group for leases of other names, and name them in @OnLeader(lease = \"<name>\")."));
            return;
        }
        if (lease.shards().value().isPresent()) {
            problems.add(setting.problem(
                    "contradicts " + lease.shards().property() + " = '"
                            + lease.shards().text() + "': the shards of a lease are a group of their own",
                    "Remove one of the two."));
            return;
        }
        Optional<String> problem = Names.problemOfName(group);
        if (problem.isEmpty() && group.length() > LeaseGroup.LABEL_LENGTH) {
            problem = Optional.of("is longer than " + LeaseGroup.LABEL_LENGTH + " characters, as the value of a label");
        }
        if (problem.isEmpty() && LeaseGroup.isLabelOfShards(group)) {
            problem = Optional.of("ends in a number, as the groups of shards do");
        }
        problem.ifPresent(reason -> problems.add(
                setting.problem("it " + reason, "Set " + setting.property() + " to a name such as 'jobs'.")));
    }

    private void requireCoordinator(Bound lease, Setting<?> property) {
        Setting<ResourceLock> lock =
                lease.setting("resource-lock", lease.values().resourceLock());
        if (!lock.value().coordinated()) {
            problems.add(contradicts(property, lock, "only a coordinator can spread leases", "coordinatedleases"));
        }
        Setting<ApiSelection> api = lease.setting("api", lease.values().api());
        if (api.value() == ApiSelection.NATIVE) {
            problems.add(contradicts(
                    property, api, "a candidate of the native format can lead one lease only", "auto or crd"));
        }
    }

    private static ConfigurationProblem contradicts(
            Setting<?> spreadBy, Setting<?> other, String reason, String values) {
        String prefix = spreadBy.property().substring(0, spreadBy.property().lastIndexOf('.') + 1);
        String key = other.property().substring(other.property().lastIndexOf('.') + 1);
        return spreadBy.problem(
                "contradicts " + other.property() + " = '" + other.text() + "': " + reason,
                "Set " + prefix + key + " to " + values + ", or remove " + spreadBy.property() + ".");
    }

    /**
     * Refuses a group that is named like a lease, and leases of one group that differ in what the candidate announces: this process has one candidate for
     * all leases of a group.
     */
    private void checkGroups(List<Bound> leases, List<LeaseSettings> settings) {
        Map<LeaseGroup, Integer> firsts = new LinkedHashMap<>();
        for (int i = 0; i < leases.size(); i++) {
            Setting<Optional<String>> setting = leases.get(i).group();
            LeaseGroup group = settings.get(i).group();
            if (setting.value().isEmpty() || group == null) {
                continue;
            }
            Integer first = firsts.putIfAbsent(group, i);
            if (first == null) {
                settings.stream()
                        .filter(lease -> lease.lease().equals(group.key()))
                        .findFirst()
                        .ifPresent(lease -> problems.add(setting.problem(
                                "the lease " + lease.lease() + " has the same name", "Give the group another name.")));
                continue;
            }
            List<String> differing = differing(
                    Objects.requireNonNull(settings.get(first).config().candidacy()),
                    Objects.requireNonNull(settings.get(i).config().candidacy()));
            if (!differing.isEmpty()) {
                problems.add(setting.problem(
                        "this process has one candidate for all leases of the group, and these settings differ from those"
                                + " of cle.leases." + leases.get(first).name() + ": " + String.join(", ", differing),
                        "Set them to the same values for all leases of the group."));
            }
        }
    }

    /** Returns the keys of the settings in which two candidates differ. */
    private static List<String> differing(LockConfig.Candidacy one, LockConfig.Candidacy other) {
        Candidate candidate = one.template();
        Candidate second = other.template();
        Map<String, Boolean> same = new LinkedHashMap<>();
        same.put("identity", candidate.key().equals(second.key()));
        same.put("candidate.binary-version", Objects.equals(candidate.binaryVersion(), second.binaryVersion()));
        same.put(
                "candidate.compatibility-version",
                Objects.equals(candidate.compatibilityVersion(), second.compatibilityVersion()));
        same.put("candidate.strategy", candidate.strategy().equals(second.strategy()));
        same.put("candidate.priority", Objects.equals(candidate.priority(), second.priority()));
        same.put("candidate.renew-interval", one.renewInterval().equals(other.renewInterval()));
        same.put("candidate.container", Objects.equals(candidate.pod(), second.pod()));
        return same.entrySet().stream()
                .filter(setting -> !setting.getValue())
                .map(Map.Entry::getKey)
                .toList();
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
        // It needs a name only if something uses it.
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
        Setting<String> prefix = lease.group()
                .value()
                .filter(group -> Names.problemOfName(group).isEmpty())
                .map(group -> new Setting<>(lease.group().property(), group))
                .orElse(leaseName);
        String candidate = prefix.value() + "-" + identity;
        Optional<String> own = Names.problemOfName(identity);
        Optional<String> problem = own.isPresent() ? own : Names.problemOfName(candidate);
        problem.ifPresent(reason -> problems.add(new ConfigurationProblem(
                setting.property(),
                identity,
                own.isPresent()
                        ? "it " + reason + ", as the candidate is named "
                                + (lease.group().value().isPresent() ? "<group>" : "<lease>") + "-<identity>"
                        : "the candidate's name '" + candidate + "' " + reason,
                own.isPresent()
                        ? "Change " + setting.property() + "."
                        : "Shorten " + setting.property() + " or " + prefix.property() + ".")));
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
