package io.cle.samples.firstleader;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

import io.cle.Timings;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.yaml.snakeyaml.Yaml;

import static org.assertj.core.api.Assertions.assertThat;

/** Verifies statements of the documentation. */
class DocumentationTest {

    private static final Path ROOT = JarProcess.ROOT;
    private static final Pattern LINK = Pattern.compile("]\\(([^)\\s]+)\\)");

    /** The tags common to all meters of an application, which the page lists once. */
    static final Set<String> OF_ALL = Set.of("lease_namespace", "identity");

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(LedWork.class)
    static class Application {}

    @Test
    void linksLeadSomewhere() {
        List<String> broken = new ArrayList<>();
        for (Path page : pages()) {
            for (String link : links(page)) {
                if (!link.contains("://") && !leadsSomewhere(page, link)) {
                    broken.add(ROOT.relativize(page) + ": " + link);
                }
            }
        }
        assertThat(broken).isEmpty();
    }

    @Test
    void everyPageIsFoundFromReadme() {
        Set<Path> found = new TreeSet<>();
        Deque<Path> next = new ArrayDeque<>(List.of(ROOT.resolve("README.md")));
        while (!next.isEmpty()) {
            Path page = next.remove();
            if (page.toString().endsWith(".md") && Files.exists(page) && found.add(page)) {
                links(page).stream()
                        .filter(link -> !link.contains("://") && !link.startsWith("#"))
                        .map(link -> page.resolveSibling(link.replaceFirst("#.*", ""))
                                .normalize())
                        .forEach(next::add);
            }
        }

        assertThat(found).containsAll(pages());
    }

    @Test
    void continuousIntegrationRunsTheTestCommandOfReadme() {
        List<String> commands = Steps.of("README.md", "Try it").commands();

        assertThat(commands).contains("./mvnw verify");
        assertThat(Pages.read(".ci/run").lines())
                .anySatisfy(line -> assertThat(line).matches("\\./mvnw( --\\S+)* verify( \"\\$@\")?"));
    }

    @Test
    void theRoleOfReadmeIsTheOneOfDirectLocks() {
        Function<String, Object> rules =
                manifests -> StreamSupport.stream(new Yaml().loadAll(manifests).spliterator(), false)
                        .map(document -> (Map<?, ?>) document)
                        .filter(document -> "Role".equals(document.get("kind")))
                        .map(role -> role.get("rules"))
                        .findFirst()
                        .orElseThrow();
        String ofReadme = Pattern.compile("(?ms)^```yaml\\n([^`]*^kind: Role$.*?)^```$")
                .matcher(Pages.read("README.md"))
                .results()
                .map(block -> block.group(1))
                .findFirst()
                .orElseThrow();

        assertThat(rules.apply(ofReadme))
                .isEqualTo(rules.apply(Pages.read("cle-coordinator-app/deploy/direct-lock/rbac.yaml")));
    }

    @Test
    void theTableOfRightsHasAllThatTheShippedRolesGrantAndNothingElse() {
        Map<String, Set<String>> documented = new TreeMap<>();
        for (RightsTable.Row row : RightsTable.rows()) {
            row.roles()
                    .forEach(role -> documented
                            .computeIfAbsent(role, unused -> new TreeSet<>())
                            .addAll(row.rights()));
        }

        Map<String, Set<String>> granted = RightsTable.granted();
        // These are for people, through the roles view and edit; no process has them.
        granted.keySet().removeAll(Set.of("cle-coordinator-aggregate-to-view", "cle-coordinator-aggregate-to-edit"));
        assertThat(documented).isEqualTo(granted);
    }

    @Test
    void timingsAmountToWhatTheTableSays() {
        List<List<String>> rows =
                Pages.table("docs/reference.md", "lease duration | renew deadline | retry period | renews every");

        assertThat(rows).isNotEmpty().allSatisfy(row -> {
            Timings timings = new Timings(duration(row.get(0)), duration(row.get(1)), duration(row.get(2)));
            assertThat(timings.problems()).isEmpty();
            assertThat(duration(row.get(3))).isEqualTo(timings.renewInterval());
            assertThat(duration(row.get(4))).isEqualTo(timings.requestTimeout());
            assertThat(duration(row.get(5))).isEqualTo(timings.toleratedOutage());
            assertThat(duration(row.get(6))).isEqualTo(timings.worstCrashFailover());
            assertThat(row.get(7)).isEqualTo(timings.toleratedClockRateRatio() + " ×");
        });
    }

    @Test
    void theDefaultTimingsAreInTheTable() {
        assertThat(Pages.table("docs/reference.md", "lease duration | renew deadline | retry period | renews every"))
                .anySatisfy(
                        row -> assertThat(new Timings(duration(row.get(0)), duration(row.get(1)), duration(row.get(2))))
                                .isEqualTo(Timings.DEFAULT));
    }

    @Test
    void everyMeterOfAnApplicationIsOnThePageWithItsSeriesTypeAndTags() {
        try (ConfigurableApplicationContext context = new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .properties("cle.mode=standalone", "spring.application.name=orders", "cle.leases.items.shards=2")
                .run()) {
            PrometheusMeterRegistry registry = context.getBean(PrometheusMeterRegistry.class);
            Set<String> measured = new TreeSet<>();
            for (Meter meter : registry.getMeters()) {
                String name = meter.getId().getName();
                if (name.startsWith("cle.") || name.startsWith("leader.election")) {
                    measured.add(String.join(
                            " | ",
                            series(meter, registry),
                            meter.getId().getType().name().toLowerCase(Locale.ROOT),
                            meter.getId().getTags().stream()
                                    .map(Tag::getKey)
                                    .filter(tag -> !OF_ALL.contains(tag))
                                    .sorted()
                                    .collect(Collectors.joining(", "))));
                }
            }
            Set<String> documented = Pages.table("docs/metrics.md", "series in Prometheus | type").stream()
                    .map(row -> String.join(" | ", row.subList(0, 3)).replace("`", ""))
                    .collect(Collectors.toCollection(TreeSet::new));

            assertThat(documented).isEqualTo(measured);
            assertThat(series(Pages.read("cle-coordinator-app/deploy/helm/files/observability/alerts.yaml")))
                    .isNotEmpty()
                    .isSubsetOf(series(registry.scrape()));
            assertThat(series(Pages.read("cle-coordinator-app/deploy/helm/files/observability/dashboard.json")))
                    .isNotEmpty()
                    .isSubsetOf(series(registry.scrape()));
        }
    }

    @Test
    void everyAlertHasASectionOfTheRunbook() {
        String home = Pages.read("pom.xml").replaceFirst("(?s).*<project.home>(.*)</project.home>.*", "$1");
        List<MatchResult> alerts = Pattern.compile("- alert: (.*)|runbook_url: (.*)")
                .matcher(Pages.read("cle-coordinator-app/deploy/helm/files/observability/alerts.yaml"))
                .results()
                .toList();

        assertThat(Pages.read("cle-coordinator-app/deploy/helm/values.yaml"))
                .contains("runbookUrl: " + home + "/blob/main/docs\n");
        assertThat(alerts).hasSizeGreaterThan(20);
        for (int i = 0; i < alerts.size(); i += 2) {
            String section = alerts.get(i).group(1).toLowerCase(Locale.ROOT);
            assertThat(alerts.get(i + 1).group(2)).isEqualTo(home + "/blob/main/docs/runbook.md#" + section);
            assertThat(anchors(ROOT.resolve("docs/runbook.md"))).contains(section);
        }
    }

    @Test
    void everyWarningHasASectionOfTheRunbook() {
        String warnings =
                Pages.read("docs/protocol.md").replaceFirst("(?s).*\\nEvent reasons: .*?; warnings (.*?)\\n.*", "$1");
        String headings = Pages.read("docs/runbook.md")
                .lines()
                .filter(line -> line.startsWith("### "))
                .collect(Collectors.joining("\n"));

        assertThat(Pattern.compile("`(\\w+)`").matcher(warnings).results().map(match -> match.group(1)))
                .hasSizeGreaterThan(5)
                .allSatisfy(warning -> assertThat(headings).containsPattern("\\b" + warning + "\\b"));
    }

    @Test
    void everyTestThatAPageNamesExists() {
        Set<String> named = Pages.all().stream()
                .flatMap(page -> Pattern.compile("`([A-Z]\\w+(?:Tests?|Contract|Scenarios))`")
                        .matcher(Pages.read(page))
                        .results())
                .map(match -> match.group(1))
                .collect(Collectors.toCollection(TreeSet::new));

        assertThat(named).hasSizeGreaterThan(20);
        assertThat(Pages.javaTypes()).containsAll(named);
    }

    /** Returns the name of a meter's series. The exporter, not the naming convention, adds the suffix of a counter. */
    private static String series(Meter meter, PrometheusMeterRegistry registry) {
        return meter.getId().getConventionName(registry.config().namingConvention())
                + (meter.getId().getType() == Meter.Type.COUNTER ? "_total" : "");
    }

    /** Returns the series of applications that a text names; the coordinator's module checks the coordinator's. */
    private static Set<String> series(String text) {
        return Pattern.compile("\\b(cle|leader_election)_[a-z_]+")
                .matcher(text)
                .results()
                .map(MatchResult::group)
                .filter(name -> !name.startsWith("cle_coordinator_"))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static boolean leadsSomewhere(Path page, String link) {
        String[] parts = link.split("#", 2);
        Path target = parts[0].isEmpty() ? page : page.resolveSibling(parts[0]).normalize();
        return Files.exists(target)
                && (parts.length == 1
                        || !target.toString().endsWith(".md")
                        || anchors(target).contains(parts[1]));
    }

    /** Returns the anchors that GitHub creates for headings. */
    private static Set<String> anchors(Path page) {
        return Pages.read(page)
                .lines()
                .filter(line -> line.startsWith("#"))
                .map(line -> line.replaceFirst("^#+ ", "").toLowerCase(Locale.ROOT))
                .map(heading -> heading.replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-'))
                .collect(Collectors.toSet());
    }

    private static List<Path> pages() {
        return Pages.all().stream().map(ROOT::resolve).toList();
    }

    private static List<String> links(Path page) {
        return LINK.matcher(Pages.read(page))
                .results()
                .map(match -> match.group(1))
                .toList();
    }

    private static Duration duration(String text) {
        return Duration.ofMillis(Math.round(Double.parseDouble(text.replace(" s", "")) * 1000));
    }
}
