package io.cle.kubernetes;

import java.io.IOException;
import java.io.StringReader;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import com.google.gson.Strictness;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import org.jspecify.annotations.Nullable;

/** JSON text to objects and back. */
final class Json {

    private static final int EXCERPT = 200;

    private Json() {}

    /**
     * Parses strictly: one object, whole, and nothing after it. Gson's own way would take half-quoted text for a string.
     *
     * @throws MalformedObjectException when the text is anything else
     */
    static JsonObject parseObject(String text) throws MalformedObjectException {
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

    /** The beginning of a text, for a message. */
    static String excerpt(String text) {
        String line = text.strip();
        return line.length() <= EXCERPT ? line : line.substring(0, EXCERPT) + "…";
    }

    /** Sets a string; leaves the member out where there is none. */
    static void add(JsonObject object, String name, @Nullable String value) {
        if (value != null) {
            object.addProperty(name, value);
        }
    }

    /** A copy without members that are {@code null}: what a merge patch would make of nothing (RFC 7386). */
    static JsonObject withoutNulls(JsonObject object) {
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
