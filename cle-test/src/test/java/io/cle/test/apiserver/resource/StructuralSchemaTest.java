package io.cle.test.apiserver.resource;

import java.util.ArrayList;
import java.util.List;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.cle.test.apiserver.status.StatusCause;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class StructuralSchemaTest {

    private final StructuralSchema schema = new StructuralSchema(json("""
                    {"type": "object", "properties": {"spec": {"type": "object", "required": ["mode"], "properties": {
                       "mode": {"type": "string", "pattern": "^(on|off)$"},
                       "size": {"type": "integer", "minimum": 1},
                       "since": {"type": "string", "format": "date-time"},
                       "free": {"type": "object"}}}}}
                    """));

    @Test
    void dropsWhatItDoesNotKnowAndKeepsWhatItDoes() {
        JsonObject object = json("""
                {"apiVersion": "x/v1", "kind": "X", "metadata": {"name": "a"}, "unknown": 1,
                 "spec": {"mode": "on", "size": null, "unknown": {"a": 1}, "kind": "x", "free": {"any": {"thing": 1}}}}
                """);

        assertThat(schema.decode(object)).containsExactlyInAnyOrder("unknown", "spec.unknown", "spec.kind");
        assertThat(object).isEqualTo(json("""
                                {"apiVersion": "x/v1", "kind": "X", "metadata": {"name": "a"},
                                 "spec": {"mode": "on", "free": {"any": {"thing": 1}}}}
                                """));
    }

    @Test
    void takesWhatIsRight() {
        assertThat(violations("""
                        {"mode": "off", "size": 5, "since": "2026-01-01T00:00:00Z", "free": {}}
                        """)).isEmpty();
    }

    @Test
    void reportsEachFieldThatIsWrong() {
        assertThat(violations("{}")).containsExactly("spec.mode: Required value");
        assertThat(violations("{\"mode\": \"maybe\"}"))
                .containsExactly("spec.mode: Invalid value: \"maybe\": spec.mode in body should match '^(on|off)$'");
        assertThat(violations("{\"mode\": \"on\", \"size\": 0}"))
                .containsExactly("spec.size: Invalid value: 0: spec.size in body should be greater than or equal to 1");
        assertThat(violations("{\"mode\": 1}"))
                .containsExactly("spec.mode: Invalid value: \"integer\": spec.mode in body must be of type"
                        + " string: \"integer\"");
        assertThat(violations("{\"mode\": \"on\", \"size\": 1.5, \"since\": \"yesterday\", \"free\": []}"))
                .hasSize(3);
    }

    private List<String> violations(String spec) {
        List<StatusCause> causes = new ArrayList<>();
        schema.validate(json("{\"spec\": " + spec + "}"), null, causes);
        return causes.stream()
                .map(cause -> cause.field() + ": " + cause.message())
                .toList();
    }

    private static JsonObject json(String text) {
        return JsonParser.parseString(text).getAsJsonObject();
    }
}
