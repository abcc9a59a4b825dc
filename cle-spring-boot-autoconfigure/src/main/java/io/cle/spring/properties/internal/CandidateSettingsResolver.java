package io.cle.spring.properties.internal;

import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

import io.cle.ConfigurationProblem;
import io.cle.KeyComparison;
import io.cle.lock.internal.LockConfig;
import io.cle.model.Candidate;
import io.cle.model.ObjectKey;
import io.cle.model.PodRef;
import io.cle.model.Version;
import io.cle.spring.properties.ApiSelection;
import io.cle.spring.properties.internal.LeaseBinder.Bound;
import io.cle.spring.properties.internal.LeaseSettings.KeyOrder;
import io.cle.spring.properties.internal.ProcessFacts.FoundVersion;
import io.cle.strategy.BuiltInStrategy;
import io.cle.strategy.ElectionStrategy;
import io.cle.strategy.internal.Strategies;
import io.cle.strategy.internal.StrategyRule;
import org.jspecify.annotations.Nullable;

/** Checks the properties of a candidate and creates the candidate: its versions, its strategy, its renew interval, its container. */
final class CandidateSettingsResolver {

    /**
     * A name that begins with a domain: {@code example.com.Nearest}, or {@code example.com/Nearest} of another coordinator than ours. The
     * coordinator has the strategy; an application needs only its name.
     */
    private static final Pattern QUALIFIED_STRATEGY =
            Pattern.compile("[a-z0-9]([-a-z0-9.]*[a-z0-9])?[/.][A-Za-z0-9]([-_.A-Za-z0-9]*[A-Za-z0-9])?");

    /** A native candidate is valid for 30 minutes (KEP-4355), and two of its renewals may fail. */
    private static final Duration LONGEST_NATIVE_RENEW_INTERVAL = Duration.ofMinutes(15);

    private static final Duration SHORTEST_RENEW_INTERVAL = Duration.ofSeconds(1);

    /** Kubernetes' names of containers (DNS labels). */
    private static final Pattern CONTAINER = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");

    private static final String WITHOUT_KEYS = "candidates that a coordinator elects among have no keys";

    /** The values of {@code cle.candidate.key-comparison} that aren't a list, in the order in which messages name them. */
    private static final Map<String, KeyComparison> COMPARISONS = new LinkedHashMap<>();

    static {
        COMPARISONS.put("oldest-version", KeyComparison.oldestVersion());
        COMPARISONS.put("newest-version", KeyComparison.newestVersion());
        COMPARISONS.put("largest-number", KeyComparison.largestNumber());
        COMPARISONS.put("smallest-number", KeyComparison.smallestNumber());
    }

    /** The properties whose exact text affects who leads. */
    private static final List<String> TEXTS =
            List.of("candidate.binary-version", "candidate.compatibility-version", "candidate.key");

    private final ProcessFacts facts;
    private final @Nullable FoundVersion foundVersion;
    private final Strategies strategies;
    private final Collection<ConfigurationProblem> problems;

    CandidateSettingsResolver(ProcessFacts facts, Strategies strategies, Collection<ConfigurationProblem> problems) {
        this.facts = facts;
        this.foundVersion = facts.version();
        this.strategies = strategies;
        this.problems = problems;
    }

    /** Adds all problems of a lease's candidate. */
    void check(Bound lease) {
        LeaseProperties.Candidate values = lease.values().candidate();
        compatibilityVersion(lease, binaryVersion(lease));
        checkStrategy(lease);
        checkRenewInterval(
                lease.setting("candidate.renew-interval", values.renewInterval()),
                lease.values().api());
        checkTakeover(lease);
        TEXTS.forEach(key -> checkIsText(lease, key));
        keyOrder(lease);
        checkContainer(lease.optional("candidate.container", values.container()));
    }

    /**
     * Returns the candidacy for a coordinated lease.
     *
     * @param lease checked
     * @param key the key of the candidate
     * @param candidate says what the candidate can lead
     */
    LockConfig.Candidacy candidacy(Bound lease, ObjectKey key, Candidate.Builder candidate) {
        LeaseProperties.Candidate values = lease.values().candidate();
        Version binary = binaryVersion(lease);
        return new LockConfig.Candidacy(
                candidate
                        .binaryVersion(binary)
                        .compatibilityVersion(compatibilityVersion(lease, binary))
                        .priority(values.priority())
                        .strategy(strategy(lease).value())
                        .validity(LockConfig.Candidacy.validityOf(values.renewInterval()))
                        .pod(owner(key, values.container()))
                        .build(),
                values.renewInterval());
    }

    /** Returns the owner of a candidate, which can only be a pod of its own namespace; {@code null} if there is none. */
    private @Nullable PodRef owner(ObjectKey candidate, @Nullable String container) {
        PodRef pod = facts.pod();
        return pod != null && pod.key().namespace().equals(candidate.namespace())
                ? new PodRef(pod.key(), pod.uid(), container)
                : null;
    }

    /**
     * Refuses a value that YAML hasn't read as text. YAML reads {@code binary-version: 1.30} as the number 1.3, and the wrong replica would
     * lead. A whole number is accepted, because its text is the same.
     */
    private void checkIsText(Bound lease, String key) {
        Object written = lease.written().apply(key);
        if (written != null
                && !(written instanceof CharSequence || written instanceof Integer || written instanceof Long)) {
            Setting<Object> setting = lease.setting(key, written);
            problems.add(setting.problem(
                    "YAML reads it as a number or a boolean, not as text, and may have changed it, as 1.30 to 1.3",
                    "Quote the value of " + setting.property() + ", such as \"1.30\"."));
        }
    }

    private void checkContainer(Setting<Optional<String>> setting) {
        String name = setting.value().orElse(null);
        if (name != null && !CONTAINER.matcher(name).matches()) {
            problems.add(setting.problem(
                    "no container has such a name",
                    "Set " + setting.property()
                            + " to the name of the container in the pod's manifest: at most 63"
                            + " lower-case letters, digits and hyphens."));
        }
    }

    private @Nullable Version binaryVersion(Bound lease) {
        LeaseProperties values = lease.values();
        Setting<Optional<String>> setting =
                lease.optional("candidate.binary-version", values.candidate().binaryVersion());
        String configured = setting.value().orElse(null);
        if (configured != null) {
            return read(setting, configured);
        }
        if (!values.resourceLock().coordinated()) {
            return null;
        }
        Version found = foundVersion();
        if (found == null && values.api() == ApiSelection.NATIVE) {
            problems.add(setting.problem(
                    "the native format takes no candidate without a version, and "
                            + (foundVersion == null
                                    ? "neither the build info nor the manifest has one"
                                    : foundVersion.describe() + " is none"),
                    "Set " + setting.property()
                            + ", or have the build write its version (the Spring Boot plugin's goal build-info)."));
        }
        return found;
    }

    /** Returns the version of the build info or of the manifest; {@code null} if there is none that can be read. */
    private @Nullable Version foundVersion() {
        return foundVersion == null ? null : foundVersion.version().orElse(null);
    }

    private @Nullable Version compatibilityVersion(Bound lease, @Nullable Version binary) {
        Setting<Optional<String>> setting = lease.optional(
                "candidate.compatibility-version", lease.values().candidate().compatibilityVersion());
        String configured = setting.value().orElse(null);
        if (configured == null) {
            return binary;
        }
        Version version = read(setting, configured);
        if (version != null && binary != null && version.compareTo(binary) > 0) {
            problems.add(setting.problem(
                    "it is above the binary version " + binary
                            + ", and no program is compatible with what comes after it",
                    "Set " + setting.property() + " to " + binary + " or below, or correct "
                            + setting.property().replace("compatibility-version", "binary-version") + "."));
        }
        return version;
    }

    private @Nullable Version read(Setting<Optional<String>> setting, String text) {
        Version version = BuildVersion.read(text).orElse(null);
        if (version == null) {
            problems.add(setting.problem(
                    "it can't be read as a version, and couldn't be compared with those of other candidates",
                    "Set " + setting.property() + " to MAJOR.MINOR.PATCH as semver.org has it, for example 1.29.0, or"
                            + " remove it; by default it is the build's."));
        }
        return version;
    }

    /** Returns the strategy that the candidate asks for. Shards and the leases of a group are spread evenly unless a strategy is set, also if it is set for all leases. */
    private static Setting<String> strategy(Bound lease) {
        String key = "candidate.strategy";
        boolean spread = lease.spreadBy().isPresent() && lease.written().apply(key) == null;
        return lease.setting(
                key,
                spread
                        ? BuiltInStrategy.BALANCED.wireName()
                        : lease.values().candidate().strategy());
    }

    private void checkStrategy(Bound lease) {
        Setting<String> setting = strategy(lease);
        String name = setting.value();
        ElectionStrategy builtIn = strategies.find(name).orElse(null);
        if (builtIn == BuiltInStrategy.BALANCED && lease.spreadBy().isEmpty()) {
            problems.add(setting.problem(
                    "it spreads the shards of a lease or the leases of a group, and there are none",
                    "Set cle.leases.<name>.shards for a lease that is to be led in parts, or cle.leases.<name>.group for several"
                            + " leases, or set " + setting.property()
                            + " to another strategy."));
            return;
        }
        boolean electsWithoutUs =
                builtIn == BuiltInStrategy.NO_COORDINATION || name.equals(StrategyRule.KUBE_APISERVERS_OWN);
        Setting<?> spreadBy = lease.spreadBy().orElse(null);
        if (electsWithoutUs && spreadBy != null) {
            problems.add(setting.problem(
                    "contradicts " + spreadBy.property() + " = '" + spreadBy.text()
                            + "': only a coordinator of this project can spread leases",
                    "Set cle.leases." + lease.name() + ".candidate.strategy to another strategy, such as Balanced, or"
                            + " remove " + spreadBy.property() + "."));
            return;
        }
        if (strategies.find(name).isPresent() || name.equals(StrategyRule.KUBE_APISERVERS_OWN)) {
            return;
        }
        String plain =
                name.startsWith(Strategies.NATIVE_PREFIX) ? name.substring(Strategies.NATIVE_PREFIX.length()) : name;
        if (QUALIFIED_STRATEGY.matcher(plain).matches()) {
            return;
        }
        problems.add(setting.problem(
                "there is no such strategy",
                "Set " + setting.property() + " to one of " + String.join(", ", strategies.names())
                        + "; or to a strategy that the coordinator has and whose name begins with a domain, such as"
                        + " example.com.Nearest. For a name without a domain, put its io.cle.strategy.ElectionStrategy on this"
                        + " application's class path, too."));
    }

    private void checkTakeover(Bound lease) {
        LeaseProperties values = lease.values();
        Setting<Duration> timeout =
                lease.setting("candidate.takeover-timeout", values.candidate().takeoverTimeout());
        Setting<Optional<String>> key =
                lease.optional("candidate.key", values.candidate().key());
        LeaseSettingsResolver.reportIfTooLong(timeout, problems);
        if (key.value().isPresent() && values.resourceLock().coordinated()) {
            problems.add(key.problem(WITHOUT_KEYS, instead(lease)));
        }
    }

    /** Returns how the keys of a direct lock are compared; {@code null} if no property is set. */
    @Nullable
    KeyOrder keyOrder(Bound lease) {
        LeaseProperties.Candidate values = lease.values().candidate();
        List<String> written = values.keyComparison();
        if (written == null || written.isEmpty()) {
            return null;
        }
        String text = String.join(", ", written);
        Setting<String> setting = lease.setting("candidate.key-comparison", text);
        if (lease.values().resourceLock().coordinated()) {
            problems.add(setting.problem(WITHOUT_KEYS, instead(lease)));
            return null;
        }
        KeyComparison named = written.size() == 1 ? comparison(written.get(0)) : null;
        if (named != null) {
            // A direct lock announces no version, but its candidates may be compared by it.
            Version configured = binaryVersion(lease);
            Version version = configured == null ? foundVersion() : configured;
            String versionKey = version != null && comparesVersions(text) ? version.toString() : null;
            return new KeyOrder(setting.property(), text, named, versionKey);
        }
        boolean isOrder = written.size() > 1
                && Set.copyOf(written).size() == written.size()
                && written.stream().noneMatch(key -> key.isBlank() || comparison(key) != null);
        if (!isOrder) {
            problems.add(setting.problem(
                    "it is neither a comparison nor a list of at least two different keys",
                    "Set " + setting.property() + " to one of " + String.join(", ", COMPARISONS.keySet())
                            + "; or to keys, the best first, such as eu-central, eu-west, us-east."));
            return null;
        }
        return new KeyOrder(setting.property(), text, KeyComparison.orderedList(written), null);
    }

    private static @Nullable KeyComparison comparison(String name) {
        return COMPARISONS.get(name.toLowerCase(Locale.ROOT).replace('_', '-'));
    }

    private static boolean comparesVersions(String comparison) {
        return comparison.toLowerCase(Locale.ROOT).endsWith("version");
    }

    private static String instead(Bound lease) {
        return "Set " + lease.setting("resource-lock", "").property()
                + " to leases, or let the coordinator choose: strategy HighestPriority with cle.candidate.priority.";
    }

    private void checkRenewInterval(Setting<Duration> setting, ApiSelection api) {
        if (LeaseSettingsResolver.reportIfTooLong(setting, problems)) {
            return;
        }
        if (setting.value().compareTo(SHORTEST_RENEW_INTERVAL) < 0) {
            problems.add(setting.problem(
                    "it must be at least 1s: a candidate's validity is counted in seconds",
                    "Raise " + setting.property() + "; the default is 5m."));
        } else if (api != ApiSelection.CRD && setting.value().compareTo(LONGEST_NATIVE_RENEW_INTERVAL) > 0) {
            problems.add(setting.problem(
                    "it must be at most 15m: a native candidate is valid for 30 minutes",
                    "Lower " + setting.property() + ", or set cle.api to crd."));
        }
    }
}
