package io.cle.architecture;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The evidence that {@code docs/guarantees.md} names is there: kinds are those of {@code docs/evidence.md}, tests and mutations those that the
 * rules in {@code docs/safety.md} name.
 */
class EvidenceTest {

    private static final Path PROJECT = Path.of("").toAbsolutePath().getParent();
    private static final Path MUTATIONS =
            PROJECT.resolve("cle-test/src/test/java/io/cle/test/simulation/mutation/Mutations.java");
    private static final Pattern QUOTED = Pattern.compile("`([^`]+)`");
    private static final Pattern ANCHOR = Pattern.compile("safety\\.md#([\\w-]+)");
    private static final Pattern ITALIC = Pattern.compile("(?<!\\*)\\*([^*]+)\\*(?!\\*)");
    private static final Pattern NAMES_MUTATIONS = Pattern.compile("(?s)mutations? (\\*.*)");

    /** A row: what holds, its rule, its kinds of evidence. */
    private record Guarantee(String rule, List<String> kinds) {}

    private static List<Guarantee> guarantees() throws IOException {
        return table("guarantees.md", "| what holds").stream()
                .map(cells -> new Guarantee(rule(cells.get(1)), kinds(cells.get(2))))
                .toList();
    }

    private static String rule(String cell) {
        Matcher anchor = ANCHOR.matcher(cell);
        assertThat(anchor.find()).as("a rule in '%s'", cell).isTrue();
        return anchor.group(1);
    }

    private static List<String> kinds(String cell) {
        return Arrays.stream(cell.split(",")).map(String::strip).toList();
    }

    private static List<List<String>> table(String page, String head) throws IOException {
        return Files.readAllLines(PROJECT.resolve("docs").resolve(page)).stream()
                .dropWhile(line -> !line.startsWith(head))
                .skip(2)
                .takeWhile(line -> line.startsWith("|"))
                .map(line -> Arrays.stream(line.substring(1).split("\\|"))
                        .map(String::strip)
                        .toList())
                .toList();
    }

    @Test
    void theRuleOfEachGuaranteeNamesTestsThatExist() throws IOException {
        List<String> missing = new ArrayList<>();
        for (Guarantee guarantee : guarantees()) {
            List<String> names = tests(guarantee.rule());
            assertThat(names).as("tests of %s", guarantee.rule()).isNotEmpty();
            StringBuilder sources = new StringBuilder();
            for (String name : names) {
                String[] parts = name.split("\\.");
                sources.append(source(parts[0]));
                String last = parts[parts.length - 1];
                if (sources.indexOf(last) < 0 && !last.equals("txt") && !last.equals(last.toUpperCase(Locale.ROOT))) {
                    missing.add(guarantee.rule() + ": " + name);
                }
            }
        }
        assertThat(missing).isEmpty();
    }

    @Test
    void eachKindOfEvidenceIsInTheTableOfKindsAndUsed() throws IOException {
        List<String> known = table("evidence.md", "| kind").stream()
                .map(cells -> cells.get(0).replaceFirst("\\[([^]]+)].*", "$1"))
                .toList();
        List<String> used = guarantees().stream()
                .flatMap(guarantee -> guarantee.kinds().stream())
                .distinct()
                .toList();

        assertThat(known).isNotEmpty().containsAll(used);
        assertThat(used).contains("tests", "exploration", "simulation", "mutations", "threads");
    }

    @Test
    void aGuaranteeHasMutationsExactlyIfItsRuleNamesSomeThatAreMade() throws IOException {
        String made = Files.readString(MUTATIONS).replaceAll("\"\\s*\\+\\s*\"", "");
        for (Guarantee guarantee : guarantees()) {
            List<String> named = mutations(guarantee.rule());

            assertThat(named)
                    .as(guarantee.rule())
                    .allSatisfy(mutation ->
                            assertThat(made).contains(mutation.replace("…", "").strip()));
            assertThat(guarantee.kinds().contains("mutations"))
                    .as("whether mutations are evidence for %s; its rule names %s", guarantee.rule(), named)
                    .isEqualTo(!named.isEmpty());
        }
    }

    /** What a rule of the safety document says of its tests: classes, methods, transcripts. */
    private static List<String> tests(String rule) throws IOException {
        String[] parts = evidence(rule).split("Tests: ", 2);
        assertThat(parts).as("code and tests of %s", rule).hasSize(2);
        return QUOTED.matcher(parts[1])
                .results()
                .map(name -> name.group(1).replace("…", ""))
                .toList();
    }

    /** The mutations that a rule of the safety document names, shortened by an ellipsis or not. */
    private static List<String> mutations(String rule) throws IOException {
        Matcher named = NAMES_MUTATIONS.matcher(evidence(rule));
        return named.find()
                ? ITALIC.matcher(named.group(1))
                        .results()
                        .map(name -> name.group(1))
                        .toList()
                : List.of();
    }

    /** The paragraph of a rule that names its code, tests and mutations. */
    private static String evidence(String rule) throws IOException {
        String section = section(rule);
        int code = section.indexOf("\nCode: ");
        assertThat(code).as("where %s says which code and tests it has", rule).isPositive();
        return section.substring(code).strip().split("\n\n", 2)[0].replace("\n", " ");
    }

    private static String section(String rule) throws IOException {
        for (String section :
                Files.readString(PROJECT.resolve("docs/safety.md")).split("(?m)^##+ ")) {
            String heading = section.lines().findFirst().orElse("");
            if (heading.toLowerCase(Locale.ROOT).replace(' ', '-').equals(rule)) {
                return section;
            }
        }
        throw new AssertionError("docs/safety.md has no section " + rule);
    }

    private static String source(String type) throws IOException {
        try (Stream<Path> files = Files.find(
                PROJECT,
                20,
                (path, unused) ->
                        path.endsWith(type + ".java") && path.toString().contains("/src/"))) {
            Path source = files.findFirst().orElse(null);
            return source == null ? "" : Files.readString(source);
        }
    }
}
