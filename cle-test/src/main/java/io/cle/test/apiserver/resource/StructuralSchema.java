package io.cle.test.apiserver.resource;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import io.cle.test.apiserver.status.StatusCause;
import org.jspecify.annotations.Nullable;

/**
 * Prunes and validates custom resources by the structural schema in their CustomResourceDefinition. The embedded
 * server and a real one thus read the same manifest.
 *
 * <p>Supports the keywords of our definitions: types, required, nested properties, minimum, lengths, pattern and the
 * format date-time. Other keywords are ignored, and an object without declared properties keeps all fields. Like an API
 * server before Kubernetes 1.25, it ignores CEL rules (x-kubernetes-validations).
 */
final class StructuralSchema implements ObjectRules {

    /** Fields that every object has. */
    private static final Set<String> HEADER = Set.of("apiVersion", "kind", "metadata");

    private final String type;
    private final Map<String, StructuralSchema> properties = new LinkedHashMap<>();
    private final List<String> required = new ArrayList<>();
    private final @Nullable BigDecimal minimum;
    private final int minLength;
    private final int maxLength;
    private final @Nullable Pattern pattern;
    private final String patternText;
    private final boolean dateTime;

    /** Reads the {@code openAPIV3Schema} of a version of a CustomResourceDefinition, or a part of it. */
    StructuralSchema(JsonObject schema) {
        type = schema.has("type") ? schema.get("type").getAsString() : "";
        if (schema.get("properties") instanceof JsonObject nested) {
            nested.asMap()
                    .forEach(
                            (name, property) -> properties.put(name, new StructuralSchema(property.getAsJsonObject())));
        }
        if (schema.get("required") instanceof JsonArray names) {
            names.forEach(name -> required.add(name.getAsString()));
        }
        minimum = schema.has("minimum") ? schema.get("minimum").getAsBigDecimal() : null;
        minLength = schema.has("minLength") ? schema.get("minLength").getAsInt() : 0;
        maxLength = schema.has("maxLength") ? schema.get("maxLength").getAsInt() : Integer.MAX_VALUE;
        patternText = schema.has("pattern") ? schema.get("pattern").getAsString() : "";
        // In Go a trailing $ is the end of the text; in Java a line terminator may follow.
        pattern = schema.has("pattern") ? Pattern.compile(patternText.replaceFirst("(?<!\\\\)\\$$", "\\\\z")) : null;
        dateTime = schema.has("format") && schema.get("format").getAsString().equals("date-time");
    }

    /** Drops unknown fields and nulls. */
    @Override
    public List<String> decode(JsonObject object) {
        List<String> unknown = new ArrayList<>();
        prune(object, "", unknown);
        return unknown;
    }

    private void prune(JsonObject object, String path, List<String> unknown) {
        if (properties.isEmpty()) {
            return;
        }
        object.asMap().entrySet().removeIf(field -> {
            String at = path + field.getKey();
            if (HEADER.contains(at)) {
                return false;
            }
            StructuralSchema schema = properties.get(field.getKey());
            if (schema == null) {
                unknown.add(at);
                return true;
            }
            if (field.getValue() instanceof JsonObject nested) {
                schema.prune(nested, at + ".", unknown);
            }
            return field.getValue().isJsonNull();
        });
    }

    @Override
    public void validate(JsonObject object, @Nullable JsonObject present, List<StatusCause> causes) {
        validateFields(object, "", causes);
    }

    private void validateFields(JsonObject object, String path, List<StatusCause> causes) {
        for (String name : required) {
            if (!object.has(name)) {
                causes.add(StatusCause.required(path + name, ""));
            }
        }
        properties.forEach((name, property) -> {
            JsonElement value = object.get(name);
            if (value != null && !HEADER.contains(path + name)) {
                property.validate(value, path + name, causes);
            }
        });
    }

    private void validate(JsonElement element, String path, List<StatusCause> causes) {
        if (!hasType(element)) {
            String found = typeOf(element);
            causes.add(StatusCause.typeInvalid(
                    path, "\"" + found + "\"", path + " in body must be of type " + type + ": \"" + found + "\""));
        } else if (element instanceof JsonObject object) {
            validateFields(object, path + ".", causes);
        } else if (element instanceof JsonPrimitive value && value.isString()) {
            validateText(value.getAsString(), path, causes);
        } else if (minimum != null
                && element instanceof JsonPrimitive value
                && value.isNumber()
                && value.getAsBigDecimal().compareTo(minimum) < 0) {
            causes.add(StatusCause.invalid(
                    path, element.toString(), path + " in body should be greater than or equal to " + minimum));
        }
    }

    private void validateText(String text, String path, List<StatusCause> causes) {
        String quoted = "\"" + text + "\"";
        int length = text.codePointCount(0, text.length());
        if (length < minLength) {
            causes.add(StatusCause.invalid(
                    path, quoted, path + " in body should be at least " + minLength + " chars long"));
        }
        if (length > maxLength) {
            causes.add(StatusCause.invalid(
                    path, quoted, path + " in body should be at most " + maxLength + " chars long"));
        }
        if (pattern != null && !pattern.matcher(text).find()) {
            causes.add(StatusCause.invalid(path, quoted, path + " in body should match '" + patternText + "'"));
        }
        if (dateTime && !MicroTime.isDateTime(text)) {
            causes.add(StatusCause.typeInvalid(path, quoted, path + " in body must be of type date-time: " + quoted));
        }
    }

    private boolean hasType(JsonElement element) {
        return type.isEmpty()
                || type.equals(typeOf(element))
                || (type.equals("number") && typeOf(element).equals("integer"));
    }

    private static String typeOf(JsonElement element) {
        if (!(element instanceof JsonPrimitive value)) {
            return element.isJsonObject() ? "object" : element.isJsonArray() ? "array" : "null";
        }
        if (!value.isNumber()) {
            return value.isString() ? "string" : "boolean";
        }
        return value.getAsBigDecimal().stripTrailingZeros().scale() <= 0 ? "integer" : "number";
    }
}
