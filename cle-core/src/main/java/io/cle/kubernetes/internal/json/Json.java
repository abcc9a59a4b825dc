package io.cle.kubernetes.internal.json;

import java.io.IOException;
import java.io.Reader;
import java.io.StringReader;
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

/** JSON text to objects and back. */
public final class Json {

    private static final int EXCERPT = 200;
    private static final String ITEMS = "items";

    private Json() {}

    /**
     * Parses strictly: one object, whole, and nothing after it. Gson's own way would take half-quoted text for a string.
     *
     * @throws MalformedObjectException when the text is anything else
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
            throw new MalformedObjectException("no JSON object (" + e.getMessage() + "): " + excerpt(text));
        }
        throw new MalformedObjectException("no JSON object: " + excerpt(text));
    }

    /**
     * Reads a list strictly, object by object.
     *
     * @param items takes each object of the list when it has been read
     * @return the list without its {@code items}
     * @throws MalformedObjectException if the text is anything else than one list
     * @throws IOException if reading fails, or the text is no JSON
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
            throw new MalformedObjectException("no JSON list (" + e.getMessage() + ")");
        }
    }

    /**
     * Does what {@link #readList} does with a list that has been read already.
     *
     * @throws MalformedObjectException if an item isn't an object
     */
    public static JsonObject withoutItems(JsonObject list, Consumer<JsonObject> items) throws MalformedObjectException {
        JsonObject rest = new JsonObject();
        for (var member : list.entrySet()) {
            if (member.getKey().equals(ITEMS) && member.getValue() instanceof JsonArray array) {
                for (JsonElement element : array) {
                    items.accept(item(element));
                }
            } else {
                rest.add(member.getKey(), member.getValue());
            }
        }
        return rest;
    }

    private static JsonObject item(JsonElement element) throws MalformedObjectException {
        if (element instanceof JsonObject object) {
            return object;
        }
        throw new MalformedObjectException("an item of the list is no object: " + excerpt(element.toString()));
    }

    /** How many characters the names, texts and numbers in an element have: what it takes in memory and on the wire, roughly. */
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

    /** The beginning of a text, for a message. */
    public static String excerpt(String text) {
        String line = text.strip();
        return line.length() <= EXCERPT ? line : line.substring(0, EXCERPT) + "…";
    }

    /** Sets a string; leaves the member out where there is none. */
    public static void add(JsonObject object, String name, @Nullable String value) {
        if (value != null) {
            object.addProperty(name, value);
        }
    }

    /** A copy without members that are {@code null}: what a merge patch would make of nothing (RFC 7386). */
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
}
