package io.cle.samples.firstleader;

import java.io.IOException;
import java.nio.file.Files;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.cel.common.types.SimpleType;
import dev.cel.compiler.CelCompiler;
import dev.cel.compiler.CelCompilerFactory;
import dev.cel.extensions.CelExtensions;
import dev.cel.parser.CelStandardMacro;
import dev.cel.runtime.CelRuntime;
import dev.cel.runtime.CelRuntimeFactory;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.Yaml;

import static org.assertj.core.api.Assertions.assertThat;

/** The rules in CEL of the CustomResourceDefinitions, evaluated by the library that cel-java is, with Kubernetes' strings. */
class CrdRulesTest {

    private static final CelCompiler COMPILER = CelCompilerFactory.standardCelCompilerBuilder()
            .setStandardMacros(CelStandardMacro.STANDARD_MACROS)
            .addLibraries(CelExtensions.strings())
            .addVar("self", SimpleType.STRING)
            .addVar("oldSelf", SimpleType.STRING)
            .build();
    private static final CelRuntime RUNTIME = CelRuntimeFactory.standardCelRuntimeBuilder()
            .addLibraries(CelExtensions.strings())
            .build();

    /** What the rules of a field of the spec say of its value; empty if nothing. */
    private static Optional<String> refuses(String crd, String field, String value, String before) {
        Map<String, Object> input = new HashMap<>(Map.of("self", value));
        if (before != null) {
            input.put("oldSelf", before);
        }
        return rules(crd, field).stream()
                // Kubernetes asks a rule with oldSelf only when there is an old value.
                .filter(rule -> before != null || !rule.get("rule").contains("oldSelf"))
                .filter(rule -> !Boolean.TRUE.equals(evaluate(rule.get("rule"), input)))
                .map(rule -> rule.get("message"))
                .findFirst();
    }

    private static Object evaluate(String rule, Map<String, Object> input) {
        try {
            return RUNTIME.createProgram(COMPILER.compile(rule).getAst()).eval(input);
        } catch (Exception e) {
            throw new AssertionError(rule + ": " + e.getMessage(), e);
        }
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, String>> rules(String crd, String field) {
        Object node;
        try {
            node = new Yaml()
                    .load(Files.readString(
                            JarProcess.ROOT.resolve("cle-coordinator-app/deploy/crds/" + crd + ".yaml")));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        for (String step :
                List.of("spec", "versions", "schema", "openAPIV3Schema", "properties", "spec", "properties", field)) {
            Object next = ((Map<String, Object>) node).get(step);
            node = next instanceof List<?> list ? list.get(0) : next;
        }
        return (List<Map<String, String>>) ((Map<String, Object>) node).get("x-kubernetes-validations");
    }

    @Nested
    class CanLeadLease {

        private Optional<String> refused(String value, String before) {
            return refuses("leasecandidates", "canLeadLease", value, before);
        }

        @Test
        void isSetOnceAndForAll() {
            assertThat(refused("shop/orders", null)).isEmpty();
            assertThat(refused("shop/orders", "shop/orders")).isEmpty();
            assertThat(refused("shop/bills", "shop/orders"))
                    .hasValueSatisfying(message -> assertThat(message).contains("immutable"));
        }

        @ParameterizedTest
        @ValueSource(strings = {"orders", "a/b/c", ""})
        void hasOneSlash(String value) {
            assertThat(refused(value, null))
                    .hasValueSatisfying(message -> assertThat(message).contains("one slash"));
        }
    }

    @Nested
    class Strategy {

        private boolean refused(String value) {
            boolean ofCandidate =
                    refuses("leasecandidates", "strategy", value, null).isPresent();
            assertThat(refuses("leaseconfigurations", "strategy", value, null).isPresent())
                    .isEqualTo(ofCandidate);
            return ofCandidate;
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "OldestCompatibilityVersion",
                    "HighestPriority",
                    "x",
                    "example.com/Nearest",
                    "coordination.cle.io/Own_1.b"
                })
        void isANameWithOrWithoutADomain(String value) {
            assertThat(refused(value)).isFalse();
        }

        @ParameterizedTest
        @ValueSource(
                strings = {"", "/", "a/b/c", "Example.com/Nearest", "example.com/", "/Nearest", "-x", "x-", "a b", "x\n"
                })
        void isNothingElse(String value) {
            assertThat(refused(value)).isTrue();
        }
    }
}
