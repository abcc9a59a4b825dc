package io.cle.architecture;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Each rule of {@code docs/safety.md} has evidence: code and tests that cite it by its anchor, and mutations that break it on purpose.
 */
class EvidenceTest {

    private static final Path PROJECT = Path.of("").toAbsolutePath().getParent();
    private static final Path DOCS = PROJECT.resolve("docs");
    private static final Path MUTATION =
            PROJECT.resolve("cle-simulation/src/test/java/io/cle/test/simulation/mutation");
    private static final Path MUTATIONS = MUTATION.resolve("Mutations.java");
    private static final Path IN_EACH_BUILD = MUTATION.resolve("MutationTest.java");
    private static final Pattern RULE = Pattern.compile("(?m)^### (.+)$");
    private static final Pattern CITATION = Pattern.compile("(\\w[\\w-]*\\.md)#([\\w-]+)");
    private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.+)$");

    /** The modules that users run; all others test them. */
    private static final List<String> PRODUCT = List.of(
            "cle-core",
            "cle-coordinator",
            "cle-spring-boot-autoconfigure",
            "cle-coordinator-app",
            "cle-coordinator-web");

    /** The mutations that break each rule, by a part of their names. */
    private static final Map<String, List<String>> BREAKS = Map.ofEntries(
            entry(
                    "write-starts-term",
                    List.of(
                            "seeing one's name",
                            "a conflict counts as a success",
                            "writes are neither compared nor swapped")),
            entry(
                    "deadline-from-send",
                    List.of(
                            "the deadline is counted from the answer",
                            "a term is valid for as long as the lease",
                            "an acquisition that succeeds too late")),
            entry("suspended-machine", List.of("a process goes on leading after its machine was suspended")),
            entry(
                    "unknown-outcome",
                    List.of(
                            "a write of unknown outcome counts as a success",
                            "a read that succeeds ends the back-off of writes")),
            entry(
                    "drain-before-release",
                    List.of(
                            "the lease is handed over before the work has ended",
                            "the lease is handed over before any listener is",
                            "a late success is released although the work of the ended term still runs")),
            entry("term-annotation", List.of("a twin's term passes for one's own")),
            entry(
                    "own-record",
                    List.of(
                            "a leader repeats what others have written into its term annotation",
                            "a leader whose record is edited again and again leads on",
                            "the id of a write carries nothing random")),
            entry(
                    "succession",
                    List.of(
                            "a record that cites any version ends the claim before it",
                            "a record that ends nothing takes away what was claimed before",
                            "what is found in another record's place",
                            "a plain holder's claim can't be mended",
                            "a term whose annotation was left on another holder's record is over",
                            "what was claimed before ends with one's own record",
                            "an empty list after a deletion hides no term",
                            "a term begins by the answer to a creation",
                            "resourceVersions that run backwards",
                            "a term of the history before a restore isn't waited for")),
            entry("grant-or-end-of-term", List.of("a held lease is elected for")),
            entry(
                    "terminated-holder",
                    List.of(
                            "the pod of a later process of the holder's name is taken for the holder's",
                            "a pod that has vanished passes for dead",
                            "a pod of phase Failed passes for dead",
                            "another container of the pod",
                            "a sidecar is no container",
                            "a restart passes for one during the term without a look before it")),
            entry(
                    "administrators-line",
                    List.of(
                            "an administrator's line ends all claims, whatever it cites",
                            "the administrator's line ends a claim also on the record of a holder")),
            entry(
                    "own-namespace",
                    List.of(
                            "a candidate counts for the lease of another namespace",
                            "another namespace's candidate of the holder's name")),
            entry("fencing-token", List.of("the token is of an older version")),
            entry("acknowledgement", List.of("a candidate whose clock is ahead", "a candidate that was never asked")),
            entry("only-listening-holders", List.of("a holder that no coordinator has elected is asked to yield")),
            entry(
                    "one-owner-of-each-key",
                    List.of(
                            "a family that holds a lease doesn't keep the others out",
                            "leases of other families are not closed",
                            "a lease that an earlier version has closed stays as it is",
                            "the lease that is named like the key is written last",
                            "what a coordinator knows of a key's owner isn't doubted",
                            "leases of a key's former owner are granted while the owner is determined again",
                            "a candidate acquires a closed lease that names it",
                            "a copy that is put back opens a closed lease",
                            "another elector can acquire a closed lease")),
            entry(
                    "seen-everything",
                    List.of(
                            "a coordinator elects before it has listed",
                            "a coordinator elects when one of its namespaces has been listed")));

    /** The rules whose mutations only an exploration ({@code -Pthorough}) finds. */
    private static final Set<String> EXPLORED = Set.of("only-listening-holders");

    /** The rules that only tests, simulation and exploration check. */
    private static final Set<String> NOT_BROKEN = Set.of(
            "write-that-stays",
            "mixed-electors",
            "callbacks-off-the-renewal-path",
            "candidate-again",
            "fallback-race",
            "when-to-elect",
            "total-order",
            "one-coordinator");

    @Test
    void eachRuleIsCitedByTheCodeThatKeepsItAndByATest() {
        Set<String> code = new TreeSet<>();
        Set<String> tests = new TreeSet<>();
        sources().forEach(source -> (isProduct(source) ? code : tests).addAll(citations(source)));

        assertThat(rules()).hasSizeBetween(20, 25);
        assertThat(code).as("cited by main classes").containsAll(rules());
        assertThat(tests).as("cited by tests").containsAll(rules());
    }

    @Test
    void eachCitationNamesAHeadingOfItsPage() {
        Set<String> cited = new TreeSet<>();
        sources()
                .forEach(source -> CITATION.matcher(read(source))
                        .results()
                        .filter(citation -> Files.exists(DOCS.resolve(citation.group(1))))
                        .forEach(citation -> cited.add(citation.group())));

        assertThat(cited).hasSizeGreaterThan(25).allSatisfy(citation -> {
            String[] parts = citation.split("#", 2);
            assertThat(HEADING.matcher(read(DOCS.resolve(parts[0]))).results().map(heading -> anchor(heading.group(1))))
                    .contains(parts[1]);
        });
    }

    @Test
    void mutationsBreakEachRuleButThoseThatAreNamed() {
        assertThat(rules())
                .containsExactlyInAnyOrderElementsOf(Stream.concat(BREAKS.keySet().stream(), NOT_BROKEN.stream())
                        .toList());
    }

    @Test
    void theMutationsThatBreakARuleAreMade() {
        String made = read(MUTATIONS).replaceAll("\"\\s*\\+\\s*\"", "");

        assertThat(BREAKS)
                .allSatisfy((rule, mutations) -> assertThat(mutations)
                        .as(rule)
                        .isNotEmpty()
                        .allSatisfy(mutation -> assertThat(made).contains(mutation)));
    }

    @Test
    void eachBuildMakesAMutationOfEachRule() {
        String made = read(IN_EACH_BUILD);

        assertThat(BREAKS)
                .allSatisfy((rule, mutations) -> assertThat(mutations)
                        .as(rule)
                        .anyMatch(mutation -> made.contains('"' + mutation + '"') || EXPLORED.contains(rule)));
    }

    /** Returns the anchors of all rules. */
    private static Set<String> rules() {
        return RULE.matcher(read(DOCS.resolve("safety.md")))
                .results()
                .map(rule -> anchor(rule.group(1)))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static String anchor(String heading) {
        return heading.toLowerCase(Locale.ROOT).replaceAll("[^a-z -]", "").replace(' ', '-');
    }

    private static boolean isProduct(Path source) {
        Path inProject = PROJECT.relativize(source);
        return PRODUCT.contains(inProject.getName(0).toString())
                && inProject.startsWith(inProject.getName(0) + "/src/main");
    }

    private static Set<String> citations(Path source) {
        return CITATION.matcher(read(source))
                .results()
                .filter((MatchResult citation) -> citation.group(1).equals("safety.md"))
                .map(citation -> citation.group(2))
                .collect(Collectors.toSet());
    }

    /** Returns the Java sources of all modules, without this test. */
    private static List<Path> sources() {
        try (Stream<Path> files = Files.find(
                PROJECT,
                20,
                (path, unused) -> path.toString().endsWith(".java")
                        && path.toString().contains("/src/")
                        && !path.endsWith("EvidenceTest.java"))) {
            return files.toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
