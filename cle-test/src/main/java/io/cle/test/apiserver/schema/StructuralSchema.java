package io.cle.test.apiserver.schema;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import io.cle.test.apiserver.status.StatusCause;
import org.jspecify.annotations.Nullable;

/**
 * The structural schema of a custom resource, as its CustomResourceDefinition has it: drops unknown fields, fills in
 * defaults, validates. So the embedded server and a real one read the same manifest and cannot disagree about it.
 *
 * <p>Understands types, required, nested properties, additionalProperties, items, bounds, lengths, pattern, enum, the
 * format date-time, nullable, default, int-or-string and x-kubernetes-preserve-unknown-fields. As an API server before Kubernetes 1.25, it
 * doesn't check rules in CEL (x-kubernetes-validations).
 */
public final class StructuralSchema {

    private final @Nullable String type;
    private final Map<String, StructuralSchema> properties = new LinkedHashMap<>();
    private final List<String> required = new ArrayList<>();
    private final @Nullable StructuralSchema items;
    private final @Nullable StructuralSchema additional;
    private final boolean keepsUnknown;
    private final boolean nullable;
    private final boolean intOrString;
    private final @Nullable JsonElement defaultValue;
    private final @Nullable JsonArray choices;
    private final @Nullable BigDecimal minimum;
    private final @Nullable BigDecimal maximum;
    private final int minLength;
    private final int maxLength;
    private final @Nullable Pattern pattern;
    private final String patternText;
    private final boolean dateTime;

    /** Reads the {@code openAPIV3Schema} of a version of a CustomResourceDefinition, or a part of it. */
    public StructuralSchema(JsonObject schema) {
        type = schema.has("type") ? schema.get("type").getAsString() : null;
        if (schema.get("properties") instanceof JsonObject nested) {
            nested.asMap()
                    .forEach(
                            (name, property) -> properties.put(name, new StructuralSchema(property.getAsJsonObject())));
        }
        if (schema.get("required") instanceof JsonArray names) {
            names.forEach(name -> required.add(name.getAsString()));
        }
        items = schema.get("items") instanceof JsonObject nested ? new StructuralSchema(nested) : null;
        additional =
                schema.get("additionalProperties") instanceof JsonObject nested ? new StructuralSchema(nested) : null;
        keepsUnknown = isTrue(schema, "x-kubernetes-preserve-unknown-fields") || isTrue(schema, "additionalProperties");
        nullable = isTrue(schema, "nullable");
        intOrString = isTrue(schema, "x-kubernetes-int-or-string");
        defaultValue = schema.get("default");
        choices = schema.get("enum") instanceof JsonArray values ? values : null;
        minimum = number(schema, "minimum");
        maximum = number(schema, "maximum");
        minLength = schema.has("minLength") ? schema.get("minLength").getAsInt() : 0;
        maxLength = schema.has("maxLength") ? schema.get("maxLength").getAsInt() : Integer.MAX_VALUE;
        patternText = schema.has("pattern") ? schema.get("pattern").getAsString() : "";
        // In Go a trailing $ is the end of the text; in Java a line terminator may follow.
        pattern = schema.has("pattern") ? Pattern.compile(patternText.replaceFirst("(?<!\\\\)\\$$", "\\\\z")) : null;
        dateTime = schema.has("format") && schema.get("format").getAsString().equals("date-time");
    }

    /** Drops fields that the schema doesn't know and nulls it doesn't allow, and fills in its defaults. */
    public void prune(JsonObject object) {
        prune(object, true);
    }

    private void prune(JsonElement element, boolean root) {
        if (element instanceof JsonObject object) {
            object.asMap().entrySet().removeIf(field -> {
                StructuralSchema schema = schemaOf(field.getKey());
                if (root && field.getKey().equals("metadata")) {
                    return false;
                }
                if (schema == null) {
                    return !keepsUnknown && !isObjectHeader(root, field.getKey());
                }
                return field.getValue().isJsonNull() && !schema.nullable;
            });
            object.asMap().forEach((name, value) -> {
                StructuralSchema schema = schemaOf(name);
                if (schema != null && !(root && name.equals("metadata"))) {
                    schema.prune(value, false);
                }
            });
            properties.forEach((name, property) -> {
                if (property.defaultValue != null && !object.has(name)) {
                    object.add(name, property.defaultValue.deepCopy());
                }
            });
        } else if (element instanceof JsonArray array && items != null) {
            array.forEach(item -> items.prune(item, false));
        }
    }

    /** Adds to {@code unknown} the paths of the fields that {@link #prune} would drop. */
    public void collectUnknown(JsonObject object, List<String> unknown) {
        collectUnknown(object, "", unknown);
    }

    private void collectUnknown(JsonElement element, String path, List<String> unknown) {
        if (element instanceof JsonObject object) {
            object.asMap().forEach((name, value) -> {
                boolean root = path.isEmpty();
                if (isObjectHeader(root, name)) {
                    return;
                }
                StructuralSchema schema = schemaOf(name);
                String at = root ? name : path + "." + name;
                if (schema != null) {
                    schema.collectUnknown(value, at, unknown);
                } else if (!keepsUnknown) {
                    unknown.add(at);
                }
            });
        } else if (element instanceof JsonArray array && items != null) {
            for (int i = 0; i < array.size(); i++) {
                items.collectUnknown(array.get(i), path + "[" + i + "]", unknown);
            }
        }
    }

    /** Adds to {@code causes} what the schema says against the object. */
    public void validate(JsonObject object, List<StatusCause> causes) {
        validate(object, "", causes);
    }

    private void validate(JsonElement element, String path, List<StatusCause> causes) {
        if (element.isJsonNull() && nullable) {
            return;
        }
        if (!hasType(element)) {
            String found = typeOf(element);
            causes.add(StatusCause.typeInvalid(
                    path, "\"" + found + "\"", path + " in body must be of type " + type + ": \"" + found + "\""));
            return;
        }
        if (element instanceof JsonObject object) {
            validateFields(object, path, causes);
        } else if (element instanceof JsonArray array && items != null) {
            for (int i = 0; i < array.size(); i++) {
                items.validate(array.get(i), path + "[" + i + "]", causes);
            }
        } else if (element instanceof JsonPrimitive value) {
            validateValue(value, path, causes);
        }
        if (choices != null && !choices.contains(element)) {
            List<String> supported = new ArrayList<>();
            choices.forEach(choice -> supported.add(choice.toString()));
            causes.add(StatusCause.unsupported(path, element.getAsString(), String.join(", ", supported)));
        }
    }

    private void validateFields(JsonObject object, String path, List<StatusCause> causes) {
        for (String name : required) {
            if (!object.has(name)) {
                causes.add(StatusCause.required(path.isEmpty() ? name : path + "." + name, ""));
            }
        }
        object.asMap().forEach((name, value) -> {
            StructuralSchema schema = schemaOf(name);
            if (schema != null && !isObjectHeader(path.isEmpty(), name)) {
                schema.validate(value, path.isEmpty() ? name : path + "." + name, causes);
            }
        });
    }

    private void validateValue(JsonPrimitive value, String path, List<StatusCause> causes) {
        if (value.isNumber()) {
            BigDecimal number = value.getAsBigDecimal();
            if (minimum != null && number.compareTo(minimum) < 0) {
                causes.add(StatusCause.invalid(
                        path, number.toString(), path + " in body should be greater than or equal to " + minimum));
            }
            if (maximum != null && number.compareTo(maximum) > 0) {
                causes.add(StatusCause.invalid(
                        path, number.toString(), path + " in body should be less than or equal to " + maximum));
            }
        } else if (value.isString()) {
            String text = value.getAsString();
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
                causes.add(
                        StatusCause.typeInvalid(path, quoted, path + " in body must be of type date-time: " + quoted));
            }
        }
    }

    private @Nullable StructuralSchema schemaOf(String field) {
        StructuralSchema property = properties.get(field);
        return property != null ? property : additional;
    }

    private boolean hasType(JsonElement element) {
        if (intOrString) {
            return element instanceof JsonPrimitive value && (value.isString() || isInteger(value));
        }
        if (type == null) {
            return true;
        }
        return switch (type) {
            case "object" -> element.isJsonObject();
            case "array" -> element.isJsonArray();
            case "string" -> element instanceof JsonPrimitive value && value.isString();
            case "boolean" -> element instanceof JsonPrimitive value && value.isBoolean();
            case "integer" -> element instanceof JsonPrimitive value && isInteger(value);
            case "number" -> element instanceof JsonPrimitive value && value.isNumber();
            default -> true;
        };
    }

    private static boolean isInteger(JsonPrimitive value) {
        return value.isNumber() && value.getAsBigDecimal().stripTrailingZeros().scale() <= 0;
    }

    private static String typeOf(JsonElement element) {
        if (element instanceof JsonPrimitive value) {
            return value.isString()
                    ? "string"
                    : value.isBoolean() ? "boolean" : isInteger(value) ? "integer" : "number";
        }
        return element.isJsonObject() ? "object" : element.isJsonArray() ? "array" : "null";
    }

    private static boolean isObjectHeader(boolean root, String field) {
        return root && (field.equals("apiVersion") || field.equals("kind") || field.equals("metadata"));
    }

    private static boolean isTrue(JsonObject schema, String field) {
        return schema.get(field) instanceof JsonPrimitive value && value.isBoolean() && value.getAsBoolean();
    }

    private static @Nullable BigDecimal number(JsonObject schema, String field) {
        return schema.has(field) ? schema.get(field).getAsBigDecimal() : null;
    }
}
