package io.cle.kubernetes.internal.json;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import io.cle.model.ObjectKey;
import io.cle.model.internal.PrintableText;
import org.jspecify.annotations.Nullable;

/**
 * Reads the fields of a JSON object, checks their types and reports malformed fields with their path. A field that is absent, that is
 * {@code null}, or whose object is absent is read as {@code null}.
 */
public final class Fields {

    /** The fields of an absent object. Never modified. */
    private static final JsonObject NOTHING = new JsonObject();

    private final @Nullable Fields parent;
    private final String name;
    private final JsonObject object;

    private Fields(@Nullable Fields parent, String name, JsonObject object) {
        this.parent = parent;
        this.name = name;
        this.object = object;
    }

    /** Returns the fields of a whole object. */
    public static Fields of(JsonObject object) {
        return new Fields(null, "", object);
    }

    /**
     * Returns the namespace and name in an API object's metadata.
     *
     * @throws MalformedObjectException if one of them is missing or isn't text
     */
    public ObjectKey key() throws MalformedObjectException {
        Fields metadata = metadata();
        return new ObjectKey(metadata.requiredString("namespace"), metadata.requiredString("name"));
    }

    /** Returns the resourceVersion in an API object's metadata; {@code null} if there is none. */
    public @Nullable String resourceVersion() throws MalformedObjectException {
        return metadata().string("resourceVersion");
    }

    /** Returns the metadata of an API object. */
    public Fields metadata() throws MalformedObjectException {
        return child("metadata");
    }

    /** Returns the spec of an API object. */
    public Fields spec() throws MalformedObjectException {
        return child("spec");
    }

    /** Returns the number of characters of this object as JSON. */
    public long size() {
        return Json.size(object);
    }

    /** Returns whether a field is present. */
    public boolean has(String name) {
        return get(name) != null;
    }

    /** Returns the fields of an object within this one. */
    public Fields child(String name) throws MalformedObjectException {
        JsonElement element = get(name);
        if (element == null) {
            return new Fields(this, name, NOTHING);
        }
        if (!element.isJsonObject()) {
            throw wrong(name, "an object", element);
        }
        return new Fields(this, name, element.getAsJsonObject());
    }

    /** Returns the objects of a list within this one. */
    public List<Fields> children(String name) throws MalformedObjectException {
        List<Fields> children = new ArrayList<>();
        JsonArray items = items(name, "a list");
        for (JsonElement item : items) {
            if (!item.isJsonObject()) {
                throw wrong(name, "a list of objects", items);
            }
            children.add(new Fields(this, name + "[" + children.size() + "]", item.getAsJsonObject()));
        }
        return children;
    }

    private JsonArray items(String name, String expected) throws MalformedObjectException {
        JsonElement element = get(name);
        if (element == null) {
            return new JsonArray();
        }
        if (!element.isJsonArray()) {
            throw wrong(name, expected, element);
        }
        return element.getAsJsonArray();
    }

    /** Returns a text with invisible characters escaped (protocol.md#objects). */
    @Nullable
    public String string(String name) throws MalformedObjectException {
        String text = rawString(name);
        return text == null ? null : PrintableText.text(text);
    }

    /** Returns a text as it was written. Only for text that is parsed and never displayed. */
    @Nullable
    public String rawString(String name) throws MalformedObjectException {
        JsonElement element = get(name);
        if (element == null) {
            return null;
        }
        if (element instanceof JsonPrimitive primitive && primitive.isString()) {
            return primitive.getAsString();
        }
        throw wrong(name, "a string", element);
    }

    /** Returns a string that must be present and not empty. */
    public String requiredString(String name) throws MalformedObjectException {
        String value = string(name);
        if (value == null || value.isEmpty()) {
            throw new MalformedObjectException(at(name) + " is missing");
        }
        return value;
    }

    /** Returns an integer within the given bounds. */
    @Nullable
    public Integer integer(String name, int min) throws MalformedObjectException {
        JsonElement element = get(name);
        return element == null ? null : integer(name, element, min);
    }

    private int integer(String name, JsonElement element, int min) throws MalformedObjectException {
        if (element instanceof JsonPrimitive primitive && primitive.isNumber()) {
            try {
                int value = Integer.parseInt(primitive.getAsString());
                if (value >= min) {
                    return value;
                }
            } catch (NumberFormatException e) {
                // Reported below as out of bounds.
            }
        }
        throw wrong(name, "a whole number from " + min + " to " + Integer.MAX_VALUE, element);
    }

    /** Returns a list of whole numbers from 0; empty if there is none. */
    public List<Integer> integers(String name) throws MalformedObjectException {
        List<Integer> numbers = new ArrayList<>();
        for (JsonElement item : items(name, "a list of whole numbers")) {
            numbers.add(integer(name, item, 0));
        }
        return numbers;
    }

    /** Returns a list of texts; empty if there is none. */
    public List<String> strings(String name) throws MalformedObjectException {
        List<String> texts = new ArrayList<>();
        for (JsonElement item : items(name, "a list of texts")) {
            if (!(item instanceof JsonPrimitive text) || !text.isString()) {
                throw wrong(name, "a list of texts", item);
            }
            texts.add(text.getAsString());
        }
        return texts;
    }

    /** Returns a time of any precision and offset; {@code null} if the text is empty. */
    @Nullable
    public Instant time(String name) throws MalformedObjectException {
        String text = rawString(name);
        if (text == null || text.isEmpty()) {
            return null;
        }
        try {
            return Rfc3339.parse(text);
        } catch (DateTimeException e) {
            throw new MalformedObjectException(at(name) + " must be a time such as 2026-01-01T00:00:00.000000Z and is '"
                    + Json.excerpt(text) + "'");
        }
    }

    private @Nullable JsonElement get(String name) {
        JsonElement element = object.get(name);
        return element == null || element.isJsonNull() ? null : element;
    }

    /** Returns the path of a field. Computed only for errors, so that well-formed objects don't pay for it. */
    public String at(String field) {
        return parent == null ? field : parent.at(name) + "." + field;
    }

    private MalformedObjectException wrong(String name, String expected, JsonElement found) {
        return new MalformedObjectException(
                at(name) + " must be " + expected + " and is " + Json.excerpt(found.toString()));
    }
}
