package io.cle.test.apiserver.resource;

import java.math.BigDecimal;
import java.time.DateTimeException;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import io.cle.test.apiserver.status.ApiFailure;
import org.jspecify.annotations.Nullable;

/** Decodes the {@code spec} of a built-in kind like its Go struct: drops unknown fields, rejects wrong types (400). */
record SpecFields(String kind, String version, Map<String, FieldType> fields) {

    /** The Go types of fields. */
    enum FieldType {
        STRING,
        INT32,
        MICRO_TIME
    }

    /** Decodes the spec, and drops fields that the struct lacks or that are in {@code dropped}. */
    void decode(JsonObject object, Set<String> dropped) {
        object.asMap()
                .keySet()
                .removeIf(field -> !field.equals("apiVersion")
                        && !field.equals("kind")
                        && !field.equals("metadata")
                        && !field.equals("spec"));
        JsonElement element = object.get("spec");
        if (element == null || element.isJsonNull()) {
            object.add("spec", new JsonObject());
            return;
        }
        if (!(element instanceof JsonObject spec)) {
            throw cannotHandle("spec", "object", element);
        }
        Iterator<Map.Entry<String, JsonElement>> entries =
                spec.asMap().entrySet().iterator();
        while (entries.hasNext()) {
            Map.Entry<String, JsonElement> entry = entries.next();
            FieldType type = fields.get(entry.getKey());
            if (type == null
                    || dropped.contains(entry.getKey())
                    || entry.getValue().isJsonNull()) {
                entries.remove();
            } else {
                JsonElement decoded = decode(entry.getKey(), type, entry.getValue());
                if (decoded != entry.getValue()) {
                    entry.setValue(decoded);
                }
            }
        }
    }

    private JsonElement decode(String field, FieldType type, JsonElement element) {
        if (!(element instanceof JsonPrimitive value)) {
            throw cannotHandle(field, type.name(), element);
        }
        switch (type) {
            case STRING -> {
                if (!value.isString()) {
                    throw cannotHandle(field, "string", element);
                }
            }
            case INT32 -> {
                if (!value.isNumber() || !isInt32(value)) {
                    throw cannotHandle(field, "int32", element);
                }
            }
            case MICRO_TIME -> {
                if (!value.isString()) {
                    throw cannotHandle(field, "MicroTime", element);
                }
                return canonicalTime(value);
            }
        }
        return element;
    }

    private JsonElement canonicalTime(JsonPrimitive value) {
        String text = value.getAsString();
        try {
            String canonical = MicroTime.canonical(text);
            return canonical.equals(text) ? value : new JsonPrimitive(canonical);
        } catch (DateTimeException e) {
            throw ApiFailure.badRequest(kind + " in version \"" + version + "\" cannot be handled as a " + kind
                    + ": parsing time \"" + text + "\" as \"2006-01-02T15:04:05.000000Z07:00\": cannot parse \"" + text
                    + "\" as \".000000\"");
        }
    }

    private ApiFailure cannotHandle(String field, String wanted, @Nullable JsonElement found) {
        return ApiFailure.badRequest(kind + " in version \"" + version + "\" cannot be handled as a " + kind
                + ": json: cannot unmarshal " + found + " into Go struct field " + kind + "Spec.spec." + field
                + " of type " + wanted);
    }

    private static boolean isInt32(JsonPrimitive value) {
        if (value.getAsNumber() instanceof Integer) {
            return true;
        }
        BigDecimal number = value.getAsBigDecimal();
        return number.stripTrailingZeros().scale() <= 0
                && number.compareTo(BigDecimal.valueOf(Integer.MAX_VALUE)) <= 0
                && number.compareTo(BigDecimal.valueOf(Integer.MIN_VALUE)) >= 0;
    }
}
