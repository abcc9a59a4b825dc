package io.cle.test.apiserver.schema;

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
                       "mode": {"type": "string", "enum": ["on", "off"]},
                       "size": {"type": "integer", "default": 3, "minimum": 1, "maximum": 5},
                       "share": {"type": "number"},
                       "flag": {"type": "boolean", "nullable": true},
                       "tags": {"type": "array", "items": {"type": "object", "properties": {"k": {"type": "string"}}}},
                       "limits": {"type": "object", "additionalProperties": {"type": "integer"}},
                       "port": {"x-kubernetes-int-or-string": true},
                       "free": {"type": "object", "x-kubernetes-preserve-unknown-fields": true}}}}}
                    """));

    @Test
    void dropsWhatItDoesNotKnowAndKeepsWhatItDoes() {
        JsonObject object = json("""
                {"apiVersion": "x/v1", "kind": "X", "metadata": {"name": "a"}, "unknown": 1,
                 "spec": {"mode": "on", "size": 2, "unknown": 1, "tags": [{"k": "v", "unknown": 1}], "limits": {"any": 1},
                          "free": {"any": {"thing": 1}}, "flag": null, "share": null}}
                """);
        List<String> unknown = new ArrayList<>();

        schema.collectUnknown(object, unknown);
        schema.prune(object);

        assertThat(unknown).containsExactlyInAnyOrder("unknown", "spec.unknown", "spec.tags[0].unknown");
        assertThat(object).isEqualTo(json("""
                                {"apiVersion": "x/v1", "kind": "X", "metadata": {"name": "a"},
                                 "spec": {"mode": "on", "size": 2, "tags": [{"k": "v"}], "limits": {"any": 1},
                                          "free": {"any": {"thing": 1}}, "flag": null}}
                                """));
    }

    @Test
    void fillsInDefaults() {
        JsonObject object = json("{\"spec\": {\"mode\": \"on\"}}");

        schema.prune(object);

        assertThat(object).isEqualTo(json("{\"spec\": {\"mode\": \"on\", \"size\": 3}}"));
    }

    @Test
    void takesWhatIsRight() {
        assertThat(violations("""
                        {"mode": "off", "size": 5, "share": 0.5, "flag": null, "tags": [], "limits": {"a": 1}, "port": "http"}
                        """)).isEmpty();
    }

    @Test
    void reportsEachFieldThatIsWrong() {
        assertThat(violations("{}")).containsExactly("spec.mode: Required value");
        assertThat(violations("{\"mode\": \"maybe\"}"))
                .containsExactly("spec.mode: Unsupported value: \"maybe\": supported values: \"on\", \"off\"");
        assertThat(violations("{\"mode\": \"on\", \"size\": 6}"))
                .containsExactly("spec.size: Invalid value: 6: spec.size in body should be less than or equal to 5");
        assertThat(violations("{\"mode\": \"on\", \"tags\": [{\"k\": 1}]}"))
                .containsExactly("spec.tags[0].k: Invalid value: \"integer\": spec.tags[0].k in body must be of type"
                        + " string: \"integer\"");
        assertThat(violations("{\"mode\": \"on\", \"limits\": {\"a\": \"x\"}, \"port\": true, \"flag\": 1}"))
                .hasSize(3);
    }

    private List<String> violations(String spec) {
        List<StatusCause> causes = new ArrayList<>();
        schema.validate(json("{\"spec\": " + spec + "}"), causes);
        return causes.stream()
                .map(cause -> cause.field() + ": " + cause.message())
                .toList();
    }

    private static JsonObject json(String text) {
        return JsonParser.parseString(text).getAsJsonObject();
    }
}
