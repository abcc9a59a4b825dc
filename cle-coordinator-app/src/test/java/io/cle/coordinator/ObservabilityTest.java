package io.cle.coordinator;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.google.gson.JsonParser;
import io.cle.ApiFormat;
import io.cle.kubernetes.KubernetesAccess;
import io.cle.lock.internal.LeaseLock;
import io.cle.model.ObjectKey;
import io.cle.test.apiserver.EmbeddedApiServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** The alert rules, the dashboard and the page on meters know the coordinator's meters, and the rules fire when they should. */
class ObservabilityTest {

    private static final Path FOLDER = Manifests.SHARED.resolve("observability");
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Pattern OF_THE_COORDINATOR = Pattern.compile("\\bcle_coordinator_[a-z_]+");

    /** The last cell of a row whose query uses a lease's meters. */
    private static final Pattern QUERY = Pattern.compile("\\| `([^`]*cle_coordinator_lease_[^`]*\\)[^`]*)` \\|\n");

    @TempDir
    Path folder;

    static boolean promtoolIsThere() {
        return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
                .anyMatch(entry -> Files.isExecutable(Path.of(entry, "promtool")));
    }

    @Test
    void everyMeterOfTheCoordinatorIsOnThePage() {
        try (EmbeddedApiServer server = EmbeddedApiServer.start();
                RunningCoordinator coordinator = RunningCoordinator.at(server.url())) {
            await().atMost(PATIENCE).until(coordinator::ready);

            // Counters of events that haven't happened don't exist yet.
            assertThat(names(coordinator.actuator("prometheus").body()))
                    .isNotEmpty()
                    .isSubsetOf(documented());
        }
    }

    @Test
    void rulesAndDashboardAskForNothingThatIsNotOnThePage() {
        for (String file : List.of("alerts.yaml", "dashboard.json")) {
            assertThat(names(Manifests.read(FOLDER.resolve(file))))
                    .as(file)
                    .isNotEmpty()
                    .isSubsetOf(documented());
        }
    }

    @Test
    void everyPanelOfTheDashboardAsksForSomething() {
        JsonParser.parseString(Manifests.read(FOLDER.resolve("dashboard.json")))
                .getAsJsonObject()
                .getAsJsonArray("panels")
                .forEach(panel -> assertThat(panel.getAsJsonObject()
                                .getAsJsonArray("targets")
                                .get(0)
                                .getAsJsonObject()
                                .get("expr")
                                .getAsString())
                        .isNotBlank());
    }

    @Test
    @EnabledIf(
            value = "promtoolIsThere",
            disabledReason = "there is no promtool on the path (Debian's package prometheus)")
    void promtoolFindsThatEveryRuleFiresWhenItShouldAndNotOtherwise() throws Exception {
        String tested = Manifests.read(FOLDER.resolve("alerts.test.yaml"));
        assertThat(Manifests.read(FOLDER.resolve("alerts.yaml"))
                        .lines()
                        .filter(line -> line.contains("- alert: "))
                        .map(line -> line.substring(line.indexOf(": ") + 2)))
                .allMatch(tested::contains);

        assertThat(promtool("check", "rules", "alerts.yaml")).contains("SUCCESS");
        assertThat(promtool("test", "rules", "alerts.test.yaml")).contains("SUCCESS");
    }

    @Test
    void everyQueryOfThePageIsTested() {
        String tested = Manifests.read(FOLDER.resolve("alerts.test.yaml"));
        List<String> queries = QUERY.matcher(Manifests.read(Path.of("..", "docs", "metrics.md")))
                .results()
                .map(query -> query.group(1))
                .toList();

        assertThat(queries).hasSize(3).allSatisfy(query -> assertThat(tested).contains("- expr: " + query + "\n"));
    }

    /** A lease without a leader quickly uses up the budget of 99.9 %; 15 s without one, as after a crash, fire no alert. */
    @Test
    @EnabledIf(
            value = "promtoolIsThere",
            disabledReason = "there is no promtool on the path (Debian's package prometheus)")
    void theRulesAndQueriesOfObjectivesAreWhatThePageSays() throws Exception {
        String page = Manifests.read(Path.of("..", "docs", "objectives.md"));
        Files.writeString(folder.resolve("objectives.yaml"), first(page, "(?s)```yaml\n(.*?)```"));
        String ofLeases = first(page, "\\| availability of each lease \\| `(.*)` \\|");
        String ofGroups = first(page, "\\| availability of each group, .* \\| `(.*)` \\|");
        Path tests = Files.writeString(folder.resolve("objectives.test.yaml"), """
                rule_files: [objectives.yaml]
                evaluation_interval: 1m
                tests:
                  - interval: 1m
                    input_series:
                      - series: cle_coordinator_lease_without_leader_seconds_total{lease_namespace="shop", lease="crashed"}
                        values: 0x60 15x60
                      - series: cle_coordinator_lease_without_leader_seconds_total{lease_namespace="shop", lease="vacant"}
                        values: 0x60 60+60x60
                      - series: cle_coordinator_group_without_leader_seconds_total{lease_namespace="shop", group="parts"}
                        values: 0+12x120
                      - series: cle_coordinator_group_leader{lease_namespace="shop", group="parts", holder="a"}
                        values: 2x120
                      - series: cle_coordinator_group_leader{lease_namespace="shop", group="parts", holder="b"}
                        values: 1x120
                      - series: cle_coordinator_group_vacant{lease_namespace="shop", group="parts"}
                        values: 1x120
                    promql_expr_test:
                      - expr: count by (alertname, lease) (ALERTS{alertstate="firing"})
                        eval_time: 59m
                      - expr: count by (alertname, lease) (ALERTS{alertstate="firing"})
                        eval_time: 63m
                        exp_samples:
                          - {labels: '{alertname="LeaseBudgetBurnsFast", lease="vacant"}', value: 1}
                          - {labels: '{alertname="LeaseBudgetBurnsSlowly", lease="vacant"}', value: 1}
                      - expr: count(%s < 0.9)
                        eval_time: 120m
                        exp_samples: [{value: 1}]
                      - expr: %s
                        eval_time: 120m
                        exp_samples: [{labels: '{lease_namespace="shop", group="parts"}', value: 0.95}]
                  # A roll-out of the coordinator: its counter begins anew, and a lease has had no leader for a hundredth of the time.
                  - interval: 1m
                    input_series:
                      - series: cle_coordinator_lease_without_leader_seconds_total{lease_namespace="shop", lease="orders", pod="a"}
                        values: 0+0.6x60 stale
                      - series: cle_coordinator_lease_without_leader_seconds_total{lease_namespace="shop", lease="orders", pod="b"}
                        values: _x61 0+0.6x60
                    promql_expr_test:
                      - expr: count((%1$s) > 0.989 and (%1$s) < 0.991)
                        eval_time: 121m
                        exp_samples: [{value: 1}]
                """.formatted(ofLeases, ofGroups));

        assertThat(promtool("check", "rules", folder.resolve("objectives.yaml").toString()))
                .contains("SUCCESS");
        assertThat(promtool("test", "rules", tests.toString())).contains("SUCCESS");
        assertThat(names(page)).isSubsetOf(documented());
    }

    private static String first(String text, String pattern) {
        return Pattern.compile(pattern)
                .matcher(text)
                .results()
                .map(match -> match.group(1))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no " + pattern));
    }

    @Test
    void theLeaderOfALeaseIsASeries() {
        ObjectKey orders = new ObjectKey("shop", "orders");
        String series = "cle_coordinator_lease_leader{holder=\"%s\",lease=\"orders\",lease_namespace=\"shop\"} 1.0";
        try (EmbeddedApiServer server = EmbeddedApiServer.start();
                RunningCoordinator coordinator = RunningCoordinator.at(server.url());
                Candidates candidates = new Candidates(KubernetesAccess.at(server.url()), ApiFormat.CRD);
                LeaseLock first = candidates.candidate(orders, "orders-a", "1.0.0");
                LeaseLock second = candidates.candidate(orders, "orders-b", "1.1.0")) {
            first.start();
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(scrape(coordinator)).contains(series.formatted("orders-a")));
            second.start();

            first.stop();

            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(scrape(coordinator))
                            .contains(
                                    series.formatted("orders-b"),
                                    "cle_coordinator_lease_without_leader_seconds_total{lease=\"orders\",lease_namespace=\"shop\"}")
                            .doesNotContain(series.formatted("orders-a")));
        }
    }

    private static String scrape(RunningCoordinator coordinator) {
        return coordinator.actuator("prometheus").body();
    }

    private static Set<String> documented() {
        return names(Manifests.read(Path.of("..", "docs", "metrics.md")));
    }

    /** Returns the coordinator's series in a text, those of a timer by their common name. */
    private static Set<String> names(String text) {
        return OF_THE_COORDINATOR
                .matcher(text)
                .results()
                .map(MatchResult::group)
                .map(name -> name.replaceFirst("_(count|sum|max)$", ""))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private String promtool(String... arguments) throws IOException, InterruptedException {
        Path output = folder.resolve("promtool.out");
        Process process = new ProcessBuilder(Stream.concat(Stream.of("promtool"), Stream.of(arguments))
                        .toList())
                .directory(FOLDER.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue()).as(Files.readString(output)).isZero();
        return Files.readString(output);
    }
}
