package io.cle.samples.firstleader;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/** The dependencies of workflows and Dependabot's updates. */
class WorkflowsTest {

    private static final Pattern ACTION = Pattern.compile("uses: *(.*)");
    private static final Pattern BASE = Pattern.compile("<image>(eclipse-temurin:[^<]+)</image>");

    static List<Path> workflows() throws IOException {
        try (Stream<Path> files = Files.list(JarProcess.ROOT.resolve(".github/workflows"))) {
            return files.toList();
        }
    }

    @ParameterizedTest
    @MethodSource("workflows")
    void actionsArePinnedByDigest(Path workflow) throws IOException {
        assertThat(ACTION.matcher(Files.readString(workflow)).results().map(action -> action.group(1)))
                .isNotEmpty()
                .allSatisfy(action -> assertThat(action).matches("[\\w./-]+@[0-9a-f]{40} # v[0-9.]+"));
    }

    /**
     * Dependabot doesn't read the base of Jib's images; its pull request changes the Dockerfile, and this test requires
     * the same change in the pom.
     */
    @Test
    void baseOfTheImageIsTheOneThatDependabotUpdates() {
        Matcher base = BASE.matcher(Pages.read("cle-coordinator-app/pom.xml"));
        assertThat(base.find()).isTrue();

        assertThat(Pages.read(".github/base-image/Dockerfile").lines().filter(line -> line.startsWith("FROM ")))
                .as("the base in cle-coordinator-app/pom.xml")
                .containsExactly("FROM " + base.group(1));
    }
}
