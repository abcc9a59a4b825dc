package io.cle.spring.properties.internal;

import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

import io.cle.InvalidConfigurationException;
import io.cle.KeyComparison;
import io.cle.Timings;
import io.cle.lock.internal.LockConfig;
import io.cle.model.Candidate;
import io.cle.model.LeaseGroup;
import io.cle.model.ObjectKey;
import io.cle.model.PodRef;
import io.cle.model.Version;
import io.cle.model.internal.Names;
import io.cle.spring.properties.ApiSelection;
import io.cle.spring.properties.internal.LeaseBinder.Bound;
import io.cle.strategy.BuiltInStrategy;
import io.cle.strategy.ElectionStrategy;
import io.cle.strategy.internal.Strategies;
import org.jspecify.annotations.Nullable;

/**
 * Creates the settings of leases from their properties. Fails with the first property that can't be used. Does no I/O.
 *
 * @param facts facts about this process that need no properties
 * @param strategies the strategies that candidates may ask for by their plain names
 */
public record LeaseSettingsResolver(ProcessFacts facts, Strategies strategies) {

    /** The name of a default lease that needs none, because nothing uses it. */
    private static final String ANY_NAME = "application";

    /**
     * A name that begins with a domain: {@code example.com.Nearest}, or {@code example.com/Nearest} of another coordinator than ours. The
     * coordinator has the strategy; an application needs only its name.
     */
    private static final Pattern QUALIFIED_STRATEGY =
            Pattern.compile("[a-z0-9]([-a-z0-9.]*[a-z0-9])?[/.][A-Za-z0-9]([-_.A-Za-z0-9]*[A-Za-z0-9])?");

    private static final String KEY = "candidate.key";
    private static final String KEY_COMPARISON = "candidate.key-comparison";

    private static final String WITHOUT_KEYS = "candidates that a coordinator elects among have no keys";
    private static final String INSTEAD_OF_KEYS =
            "Set resource-lock to leases, or let the coordinator choose: strategy HighestPriority with cle.candidate.priority.";
    private static final String FURTHER =
            "Set it under cle.leases.<name> for a lease of another name, and name that lease in @OnLeader(lease = \"<name>\").";

    /** The properties whose exact text affects who leads. */
    private static final List<String> TEXTS =
            List.of("candidate.binary-version", "candidate.compatibility-version", KEY);

    /** The values of {@code cle.candidate.key-comparison} that aren't a list, in the order in which messages name them. */
    private static final Map<String, KeyComparison> COMPARISONS = new TreeMap<>(Map.of(
            "oldest-version", KeyComparison.oldestVersion(),
            "newest-version", KeyComparison.newestVersion(),
            "largest-number", KeyComparison.largestNumber(),
            "smallest-number", KeyComparison.smallestNumber()));

    /**
     * Checks everything that doesn't need the namespace of this process, which may need a cluster.
     *
     * @throws InvalidConfigurationException if a property can't be used
     */
    public void check(Bound lease) {
        settings(lease, Objects.requireNonNullElse(lease.values().namespace(), "default"));
    }

    /**
     * Returns the settings of all leases, in their order. Looks up the namespace of this process if none is configured.
     *
     * @throws InvalidConfigurationException if a property can't be used, or two leases are the same
     */
    public List<LeaseSettings> settings(List<Bound> leases) {
        Map<Bound, List<LeaseSettings>> settings = new LinkedHashMap<>();
        for (Bound lease : leases) {
            String namespace = lease.values().namespace();
            settings.put(
                    lease, settings(lease, namespace == null ? facts.namespace().get() : namespace));
        }
        refuseTwins(settings);
        checkGroups(settings);
        return settings.values().stream().flatMap(List::stream).toList();
    }

    /** Returns the settings of a lease; if it has shards, of each shard. */
    private List<LeaseSettings> settings(Bound lease, String namespace) {
        LeaseProperties values = lease.values();
        lease.refuse(Names.problemOfNamespace(namespace), "namespace", namespace, "Set it to the leases' namespace.");
        ObjectKey key = new ObjectKey(namespace, leaseName(lease));
        LeaseGroup group = group(lease, key);
        TEXTS.forEach(text -> checkIsText(lease, text));
        Timings timings = timings(lease);
        requireInRange(lease, "drain-timeout", values.drainTimeout());
        requireInRange(lease, "fallback.delay", values.fallback().delay());
        String identity = identity(lease, values.group() == null ? key.name() : values.group());
        LockConfig.Takeover takeover = takeover(lease);
        LockConfig.Candidacy candidacy = candidacy(lease, new ObjectKey(namespace, identity), key, group);
        LockConfig.Fallback fallback = new LockConfig.Fallback(
                values.fallback().enabled() && group == null, values.fallback().delay());
        Duration step = LockConfig.renewTimeStepOf(values.resourceLock());
        Function<ObjectKey, LockConfig> config =
                of -> new LockConfig(of, identity, timings, values.drainTimeout(), fallback, candidacy, takeover, step);
        String name = lease.name() == null ? key.name() : lease.name();
        if (group == null || !group.isSharded()) {
            return List.of(new LeaseSettings(name, name, values, config.apply(key)));
        }
        String prefix = name + "-" + group.shards() + "-";
        return IntStream.range(0, group.shards())
                .mapToObj(i -> new LeaseSettings(prefix + i, name, values, config.apply(group.lease(i))))
                .toList();
    }

    private String leaseName(Bound lease) {
        String own = lease.values().leaseName();
        String other = lease.name() == null ? facts.applicationName() : lease.name();
        String name = own == null ? Objects.requireNonNullElse(other, ANY_NAME) : own;
        Names.problemOfName(name).ifPresent(problem -> {
            throw new InvalidConfigurationException(
                    lease.nameProperty(),
                    name,
                    problem + ", because it names a Lease",
                    "Set " + lease.property("lease-name") + " to such a name; all replicas need the same.");
        });
        return name;
    }

    /** Returns the identity. For coordinated leases it is the candidate's name; otherwise it is free text in the record. */
    private String identity(Bound lease, String prefix) {
        String identity = Objects.requireNonNullElse(lease.values().identity(), facts.identity());
        if (!lease.values().resourceLock().coordinated()) {
            lease.refuse(Names.problemOfIdentity(identity), "identity", identity, "Change or remove it.");
            return identity;
        }
        String candidate = prefix + "-" + identity;
        lease.refuse(
                Names.problemOfName(identity)
                        .or(() -> Names.problemOfName(candidate))
                        .map(problem -> problem + ", because the candidate is named '" + candidate + "'"),
                "identity",
                identity,
                "Change " + lease.property("identity") + ", or shorten " + lease.nameProperty() + ".");
        return candidate;
    }

    /** Returns the group by which a coordinator spreads the lease; {@code null} if the best candidate leads. */
    private static @Nullable LeaseGroup group(Bound lease, ObjectKey key) {
        LeaseProperties values = lease.values();
        Integer shards = values.shards();
        String group = values.group();
        String spreadBy = lease.spreadBy();
        if (spreadBy == null) {
            return null;
        }
        Object spread = lease.spread();
        lease.refuse(
                lease.name() == null, spreadBy, spread, "the default lease can't be spread over the replicas", FURTHER);
        lease.refuse(
                shards != null && group != null,
                "group",
                group,
                "must not be set with " + lease.written("shards", shards)
                        + ", because the shards of a lease are a group",
                "Remove one of the two.");
        lease.refuse(
                !values.resourceLock().coordinated(),
                spreadBy,
                spread,
                "contradicts " + lease.written("resource-lock", values.resourceLock())
                        + ", because only a coordinator can spread leases",
                "Set " + lease.property("resource-lock") + " to coordinatedleases.");
        lease.refuse(
                values.api() == ApiSelection.NATIVE,
                spreadBy,
                spread,
                "contradicts " + lease.written("api", values.api())
                        + ", because a native candidate can lead one lease only",
                "Set " + lease.property("api") + " to auto or crd.");
        if (shards != null) {
            lease.refuse(
                    shards < 1 || shards > LeaseGroup.MOST_SHARDS,
                    "shards",
                    shards,
                    "must be between 1 and " + LeaseGroup.MOST_SHARDS,
                    "Set it to a few times the number of replicas, for example to 16.");
            return new LeaseGroup(key.namespace(), key.name(), shards);
        }
        String name = Objects.requireNonNull(group);
        Optional<String> problem = LeaseGroup.isLabelOfShards(name)
                ? Optional.of("must not end in a number, as the groups of shards do")
                : Names.problemOfName(name);
        lease.refuse(problem, "group", name, "Set it to a name such as 'jobs'.");
        return LeaseGroup.named(key.namespace(), name);
    }

    private static Timings timings(Bound lease) {
        LeaseProperties values = lease.values();
        Map<String, Duration> byName = new TreeMap<>(Map.of(
                "lease-duration", values.leaseDuration(),
                "renew-deadline", values.renewDeadline(),
                "retry-period", values.retryPeriod()));
        byName.forEach((key, value) -> requireInRange(lease, key, value));
        Timings timings = new Timings(values.leaseDuration(), values.renewDeadline(), values.retryPeriod());
        timings.problems().stream().findFirst().ifPresent(problem -> {
            String second = lease.written(problem.second(), byName.get(problem.second()));
            throw lease.problem(
                    problem.first(),
                    byName.get(problem.first()),
                    problem.rule().formatted(second),
                    "Change one of cle.lease-duration, cle.renew-deadline and cle.retry-period; the defaults are 15s, 10s and 2s.");
        });
        return timings;
    }

    private static void requireInRange(Bound lease, String key, Duration value) {
        boolean wrong = value.isNegative() || value.compareTo(Timings.LONGEST) > 0;
        lease.refuse(wrong, key, value, "must be between 0s and " + Timings.LONGEST.toDays() + "d", "Change it.");
    }

    /**
     * Refuses a value that YAML hasn't read as text. YAML reads {@code binary-version: 1.30} as the number 1.3, and the wrong replica would
     * lead. A whole number is accepted, because its text is the same.
     */
    private static void checkIsText(Bound lease, String key) {
        Object raw = lease.raw().apply(key);
        lease.refuse(
                raw != null && !(raw instanceof CharSequence || raw instanceof Integer || raw instanceof Long),
                key,
                raw,
                "must be text, but YAML reads it as a number or a boolean, and may have changed it, as 1.30 to 1.3",
                "Quote the value of " + lease.property(key) + ", such as \"1.30\".");
    }

    /** Checks the candidate's properties, and returns what it announces; {@code null} on a direct lock, which announces nothing. */
    private LockConfig.@Nullable Candidacy candidacy(
            Bound lease, ObjectKey candidate, ObjectKey key, @Nullable LeaseGroup group) {
        LeaseProperties.Candidate values = lease.values().candidate();
        Version binary = binaryVersion(lease);
        Version compatibility = compatibilityVersion(lease, binary);
        String strategy = strategy(lease);
        String interval = "candidate.renew-interval";
        requireInRange(lease, interval, values.renewInterval());
        boolean tooShort = values.renewInterval().compareTo(Duration.ofSeconds(1)) < 0;
        lease.refuse(tooShort, interval, values.renewInterval(), "must be at least 1s", "Raise it; the default is 5m.");
        if (!lease.values().resourceLock().coordinated()) {
            return null;
        }
        Candidate.Builder template =
                group == null ? Candidate.builder(candidate, key) : Candidate.builder(candidate, group);
        if (group != null && !group.isSharded()) {
            template.leases(List.of(key));
        }
        PodRef pod = facts.pod();
        // A candidate can only be owned by a pod of its own namespace.
        boolean owned = pod != null && pod.key().namespace().equals(candidate.namespace());
        return new LockConfig.Candidacy(
                template.binaryVersion(binary)
                        .compatibilityVersion(compatibility)
                        .priority(values.priority())
                        .strategy(strategy)
                        .validity(LockConfig.Candidacy.validityOf(values.renewInterval()))
                        .pod(pod != null && owned ? new PodRef(pod.key(), pod.uid(), values.container()) : null)
                        .build(),
                values.renewInterval());
    }

    private @Nullable Version binaryVersion(Bound lease) {
        String key = "candidate.binary-version";
        String configured = lease.values().candidate().binaryVersion();
        if (configured != null) {
            return version(lease, key, configured);
        }
        return facts.version() == null ? null : facts.version().version().orElse(null);
    }

    private static @Nullable Version compatibilityVersion(Bound lease, @Nullable Version binary) {
        String key = "candidate.compatibility-version";
        String configured = lease.values().candidate().compatibilityVersion();
        if (configured == null) {
            return binary;
        }
        Version version = version(lease, key, configured);
        lease.refuse(
                binary != null && version.compareTo(binary) > 0,
                key,
                configured,
                "must not be above " + lease.written("candidate.binary-version", binary)
                        + ", because no program is compatible with a later version",
                "Lower it, or correct " + lease.property("candidate.binary-version") + ".");
        return version;
    }

    private static Version version(Bound lease, String key, String text) {
        return BuildVersion.read(text)
                .orElseThrow(() -> lease.problem(
                        key,
                        text,
                        "must be a version, which can be compared with those of other candidates",
                        "Set it to MAJOR.MINOR.PATCH as semver.org has it, or remove it; the default is the build's."));
    }

    /**
     * Returns the strategy that the candidate asks for. Shards and the leases of a group are spread evenly by default;
     * a strategy that is set for all leases applies to them, too.
     */
    private String strategy(Bound lease) {
        String key = "candidate.strategy";
        String spreadBy = lease.spreadBy();
        String name = spreadBy != null && lease.raw().apply(key) == null
                ? BuiltInStrategy.BALANCED.wireName()
                : lease.values().candidate().strategy();
        ElectionStrategy known = strategies.find(name).orElse(null);
        boolean kubeApiservers = name.equals(Strategies.KUBE_APISERVERS_OWN);
        lease.refuse(
                known == BuiltInStrategy.BALANCED && spreadBy == null,
                key,
                name,
                "it spreads the shards of a lease or the leases of a group, and there are none",
                "Set cle.leases.<name>.shards or .group, or another strategy.");
        if (spreadBy != null) {
            lease.refuse(
                    known == BuiltInStrategy.NO_COORDINATION || kubeApiservers,
                    key,
                    name,
                    "contradicts " + lease.written(spreadBy, lease.spread())
                            + ", because only a coordinator of this project can spread leases",
                    "Set cle.leases." + lease.name() + ".candidate.strategy to another one, such as Balanced.");
        }
        String plain =
                name.startsWith(Strategies.NATIVE_PREFIX) ? name.substring(Strategies.NATIVE_PREFIX.length()) : name;
        lease.refuse(
                known == null
                        && !kubeApiservers
                        && !QUALIFIED_STRATEGY.matcher(plain).matches(),
                key,
                name,
                "there is no such strategy",
                "Set it to one of " + String.join(", ", strategies.names())
                        + "; or to one of the coordinator's whose name begins with a domain, such as example.com.Nearest;"
                        + " or put its io.cle.strategy.ElectionStrategy on this application's class path, too.");
        return name;
    }

    /** Returns the rule by which this candidate may take a direct lock over from its holder (KEP-2835); {@code null} if it has no key. */
    private LockConfig.@Nullable Takeover takeover(Bound lease) {
        LeaseProperties.Candidate values = lease.values().candidate();
        String key = values.key();
        String order = values.comparedBy();
        Duration timeout = values.takeoverTimeout();
        requireInRange(lease, "candidate.takeover-timeout", timeout);
        if (lease.values().resourceLock().coordinated()) {
            lease.refuse(key != null, KEY, key, WITHOUT_KEYS, INSTEAD_OF_KEYS);
            lease.refuse(order != null, KEY_COMPARISON, order, WITHOUT_KEYS, INSTEAD_OF_KEYS);
            return null;
        }
        if (order == null) {
            String compare =
                    "Set " + lease.property(KEY_COMPARISON) + ", for example to newest-version, or remove the key.";
            lease.refuse(key != null, KEY, key, "no key comparison is set", compare);
            return null;
        }
        KeyComparison comparison = comparison(lease, order);
        if (key == null && order.toLowerCase(Locale.ROOT).endsWith("version")) {
            // A direct lock announces no version, but its candidates may be compared by it.
            Version version = binaryVersion(lease);
            key = version == null ? "" : version.toString();
        }
        if (key == null) {
            String action = "Set " + lease.property(KEY) + "; an empty one ranks last.";
            throw lease.problem(KEY_COMPARISON, order, "there is no key of this process to compare", action);
        }
        lease.refuse(
                timeout.compareTo(lease.values().drainTimeout()) <= 0,
                "candidate.takeover-timeout",
                timeout,
                "must be longer than "
                        + lease.written("drain-timeout", lease.values().drainTimeout())
                        + ", or a holder would be preempted while its work is ending",
                "Raise it, or lower " + lease.property("drain-timeout") + ".");
        return new LockConfig.Takeover(key, comparison, timeout);
    }

    private static KeyComparison comparison(Bound lease, String order) {
        List<String> written = Objects.requireNonNull(lease.values().candidate().keyComparison());
        KeyComparison named = written.size() == 1 ? comparison(order) : null;
        if (named != null) {
            return named;
        }
        lease.refuse(
                Set.copyOf(written).size() < 2,
                KEY_COMPARISON,
                order,
                "must be a comparison, or a list of at least two different keys",
                "Set it to one of " + String.join(", ", COMPARISONS.keySet())
                        + "; or to keys, the best first, such as eu-central, eu-west, us-east.");
        return KeyComparison.orderedList(written);
    }

    private static @Nullable KeyComparison comparison(String name) {
        return COMPARISONS.get(name.toLowerCase(Locale.ROOT).replace('_', '-'));
    }

    /**
     * Refuses leases with the same names. A lease with shards has the names of its shards and their common name:
     * another lease of that name, or with another number of shards, would have candidates with the same names.
     */
    private void refuseTwins(Map<Bound, List<LeaseSettings>> settings) {
        Map<Object, String> taken = new HashMap<>();
        settings.forEach((lease, parts) -> {
            Set<Object> names = new LinkedHashSet<>();
            names.add(new ObjectKey(parts.get(0).lease().namespace(), leaseName(lease)));
            parts.forEach(part -> names.addAll(List.of(part.lease(), part.commonName(), part.name())));
            for (Object name : names) {
                String other = taken.put(name, lease.nameProperty());
                if (other != null) {
                    throw new InvalidConfigurationException(
                            lease.nameProperty(),
                            leaseName(lease),
                            (name instanceof ObjectKey ? "the lease " : "the name ") + name + " is already that of "
                                    + other,
                            "Give one of them another name or another namespace, or remove it.");
                }
            }
        });
    }

    /**
     * Refuses a group that is named like a lease, and leases of one group that differ in what the candidate announces: this process has one
     * candidate for all leases of a group.
     */
    private static void checkGroups(Map<Bound, List<LeaseSettings>> settings) {
        Map<LeaseGroup, Bound> firsts = new HashMap<>();
        settings.forEach((lease, parts) -> {
            LeaseGroup group = parts.get(0).group();
            String name = lease.values().group();
            if (name == null || group == null) {
                return;
            }
            lease.refuse(
                    settings.values().stream()
                            .anyMatch(others -> others.get(0).lease().equals(group.key())),
                    "group",
                    name,
                    "the lease " + group.key() + " has the same name",
                    "Give the group another name.");
            Bound first = firsts.putIfAbsent(group, lease);
            lease.refuse(
                    first != null && !announced(settings, first).equals(announced(settings, lease)),
                    "group",
                    name,
                    "this process has one candidate for all leases of the group, and identity or candidate.* differ from"
                            + " those of cle.leases." + (first == null ? "" : first.name()),
                    "Set them to the same values for all leases of the group.");
        });
    }

    private static Candidate announced(Map<Bound, List<LeaseSettings>> settings, Bound lease) {
        LeaseSettings first = settings.getOrDefault(lease, List.of()).get(0);
        return Objects.requireNonNull(first.config().candidacy()).template().toBuilder()
                .leases(List.of())
                .build();
    }
}
