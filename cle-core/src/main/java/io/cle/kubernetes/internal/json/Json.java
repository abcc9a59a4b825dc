package io.cle.kubernetes.internal.json;

import java.io.IOException;
import java.io.Reader;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import com.google.gson.Strictness;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import org.jspecify.annotations.Nullable;

/** Parses and modifies JSON. */
public final class Json {

    private static final int EXCERPT = 200;
    private static final String ITEMS = "items";

    private Json() {}

    /**
     * Parses strictly: exactly one complete object. Gson's default parser would accept half-quoted text as a string.
     *
     * @throws MalformedObjectException if the text is anything else
     */
    public static JsonObject parseObject(String text) throws MalformedObjectException {
        try {
            JsonReader reader = new JsonReader(new StringReader(text));
            reader.setStrictness(Strictness.STRICT);
            JsonElement element = JsonParser.parseReader(reader);
            if (element.isJsonObject() && reader.peek() == JsonToken.END_DOCUMENT) {
                return element.getAsJsonObject();
            }
        } catch (JsonParseException | IOException e) {
            throw new MalformedObjectException("not a JSON object (" + e.getMessage() + "): " + excerpt(text));
        }
        throw new MalformedObjectException("not a JSON object: " + excerpt(text));
    }

    /**
     * Reads a list strictly, object by object.
     *
     * @param items receives each object of the list as soon as it is read
     * @return the list without its {@code items}
     * @throws MalformedObjectException if the text is anything but one list
     * @throws IOException if reading fails, or if the text isn't JSON
     */
    public static JsonObject readList(Reader text, Consumer<JsonObject> items)
            throws MalformedObjectException, IOException {
        JsonReader reader = new JsonReader(text);
        reader.setStrictness(Strictness.STRICT);
        try {
            JsonObject list = new JsonObject();
            reader.beginObject();
            while (reader.hasNext()) {
                String member = reader.nextName();
                if (member.equals(ITEMS) && reader.peek() == JsonToken.BEGIN_ARRAY) {
                    reader.beginArray();
                    while (reader.hasNext()) {
                        items.accept(item(JsonParser.parseReader(reader)));
                    }
                    reader.endArray();
                } else {
                    list.add(member, JsonParser.parseReader(reader));
                }
            }
            reader.endObject();
            if (reader.peek() != JsonToken.END_DOCUMENT) {
                throw new MalformedObjectException("text after the list");
            }
            return list;
        } catch (JsonParseException | IllegalStateException e) {
            throw new MalformedObjectException("not a JSON list (" + e.getMessage() + ")");
        }
    }

    private static JsonObject item(JsonElement element) throws MalformedObjectException {
        if (element instanceof JsonObject object) {
            return object;
        }
        throw new MalformedObjectException("an item of the list is not an object: " + excerpt(element.toString()));
    }

    /** Returns the number of characters of all names, texts and numbers in an element, which approximates its size in memory and on the wire. */
    public static long size(JsonElement element) {
        long size = 0;
        if (element instanceof JsonObject object) {
            for (var member : object.entrySet()) {
                size += member.getKey().length() + size(member.getValue());
            }
        } else if (element instanceof JsonArray array) {
            for (JsonElement item : array) {
                size += size(item);
            }
        } else if (element instanceof JsonPrimitive primitive) {
            size += primitive.getAsString().length();
        }
        return size;
    }

    /** Returns the beginning of a text, for a message. */
    public static String excerpt(String text) {
        String line = text.strip();
        return line.length() <= EXCERPT ? line : line.substring(0, EXCERPT) + "…";
    }

    /** Sets a string; omits the member if the value is {@code null}. */
    public static void add(JsonObject object, String name, @Nullable String value) {
        if (value != null) {
            object.addProperty(name, value);
        }
    }

    /** Returns a copy without members that are {@code null}: the result of applying a merge patch to an empty object (RFC 7386). */
    public static JsonObject withoutNulls(JsonObject object) {
        JsonObject copy = new JsonObject();
        for (var member : object.entrySet()) {
            JsonElement value = member.getValue();
            if (value.isJsonObject()) {
                copy.add(member.getKey(), withoutNulls(value.getAsJsonObject()));
            } else if (!value.isJsonNull()) {
                copy.add(member.getKey(), value);
            }
        }
        return copy;
    }

    /**
     * Returns the paths of the fields of a merge patch that an object doesn't have as they were written. JSON {@code null} is written to
     * remove a field.
     *
     * @param empty values that a server may omit
     */
    public static List<String> differences(JsonObject written, JsonObject stored, Set<String> empty) {
        List<String> paths = new ArrayList<>();
        compare("", written, stored, empty, paths);
        return paths;
    }

    private static void compare(
            String path, JsonObject written, JsonObject stored, Set<String> empty, List<String> paths) {
        for (var field : written.entrySet()) {
            String name = path + field.getKey();
            JsonElement now = stored.get(field.getKey());
            if (field.getValue() instanceof JsonObject value) {
                compare(name + ".", value, now instanceof JsonObject object ? object : new JsonObject(), empty, paths);
            } else if (!field.getValue().equals(now) && !(isEmpty(field.getValue(), empty) && isEmpty(now, empty))) {
                paths.add(name);
            }
        }
    }

    private static boolean isEmpty(@Nullable JsonElement value, Set<String> empty) {
        return value == null || value.isJsonNull() || (value.isJsonPrimitive() && empty.contains(value.getAsString()));
    }
}
