package io.cle.spring.migration.internal;

import java.util.List;
import java.util.SplittableRandom;

import io.cle.InvalidConfigurationException;
import io.cle.migration.LeaderMigrationConfiguration;
import io.cle.migration.MigrationPlan;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Reads hostile configuration files, which are random sequences of pieces. Each file is either a valid configuration,
 * or rejected with errors that say where and what to do. No piece is a list that contains itself, which Boot's reader
 * follows forever, as in an application.yaml. {@code -Dcle.hostile=100} runs a hundred times as many.
 */
class HostileYamlTests {

    private static final int SEEDS = 500 * Integer.getInteger("cle.hostile", 1);
    private static final int FIXED_SEEDS = 5_000;

    private static final List<String> PIECES = List.of(
            "kind: LeaderMigrationConfiguration\n",
            "apiVersion: controllermanager.config.k8s.io/v1\n",
            "leaderName: shared\n",
            "resourceLock: leases\n",
            "controllerLeaders:\n",
            "  - name: route\n    component: *\n",
            "  - name: service\n    component: orders\n",
            "controllerLeaders: [{name: route, component: *}]\n",
            "controllerLeaders: *\n",
            "? [a, b]\n: c\n",
            "? {}\n",
            "<<: {leaderName: x}\n",
            "leaderName: !!java.lang.Runtime {}\n",
            "leaderName: !!binary x\n",
            "leaderName: !<tag:x> y\n",
            "leaderName: |\n  a\n  b\n",
            "leaderName: >-\n\n",
            "leaderName: \"\\ud800\"\n",
            "leaderName: ../..\n",
            "leaderName: ~\n",
            "leaderName: [\n",
            "leaderName: " + "x".repeat(5000) + "\n",
            "---\n",
            "...\n",
            "%YAML 9.9\n",
            "%TAG ! x\n",
            "# component: *\n",
            "\t",
            "\u0000",
            "\uFEFF",
            "\u0085",
            "\uD800",
            "{",
            "}",
            "'",
            "\"",
            "- ",
            ": ",
            "* ",
            "& ",
            "\r",
            "  ",
            "[".repeat(3000),
            "- ".repeat(3000),
            "? ".repeat(3000),
            "{a: ".repeat(3000));

    private static String file(SplittableRandom random) {
        StringBuilder text = new StringBuilder();
        for (int pieces = random.nextInt(9); pieces > 0; pieces--) {
            text.append(PIECES.get(random.nextInt(random.nextBoolean() ? 8 : PIECES.size())));
        }
        for (int changes = random.nextInt(3); changes > 0 && !text.isEmpty(); changes--) {
            int at = random.nextInt(text.length());
            if (random.nextBoolean()) {
                text.deleteCharAt(at);
            } else {
                text.setCharAt(at, (char) random.nextInt(random.nextBoolean() ? 128 : Character.MAX_VALUE + 1));
            }
        }
        return text.toString();
    }

    @Test
    void aFileIsAConfigurationOrHasProblems() {
        read(System.nanoTime(), SEEDS);
    }

    /**
     * Otherwise only the parser would be tested. The seeds are fixed, because a few random ones may produce no such file.
     */
    @Test
    void someFilesCanBeUsed() {
        assertThat(read(0, FIXED_SEEDS)).isPositive();
    }

    /** Reads the files of these seeds, and returns how many are valid. */
    private static int read(long first, int seeds) {
        int usable = 0;
        for (long seed = first; seed < first + seeds; seed++) {
            String file = file(new SplittableRandom(seed));
            try {
                LeaderMigrationConfiguration configuration = MigrationYaml.read("migration.yaml", file);
                usable++;
                assertThat(new MigrationPlan(configuration, "orders").toString())
                        .isNotEmpty();
            } catch (InvalidConfigurationException problem) {
                assertThat(problem.reason()).isNotEmpty();
                assertThat(problem.action()).isNotEmpty();
            } catch (RuntimeException | StackOverflowError | AssertionError failure) {
                throw new AssertionError("seed " + seed + ", file <" + file + ">: " + failure, failure);
            }
        }
        return usable;
    }
}
