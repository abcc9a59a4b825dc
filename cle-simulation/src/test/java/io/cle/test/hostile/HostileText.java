package io.cle.test.hostile;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;

/**
 * Turns valid JSON into hostile JSON: values of the wrong type, out of range, of absurd length or depth, in fields that are there and in
 * fields that are not; and text that is no JSON any more. The same seed always makes the same text.
 */
public final class HostileText {

    private static final Gson GSON =
            new GsonBuilder().serializeNulls().disableHtmlEscaping().create();

    /** Values that have broken parsers, or that lie just outside of what a field takes. JSON, except that of the second list. */
    private static final List<String> VALUES = List.of(
            "null",
            "true",
            "0",
            "-0",
            "-1",
            "1.5",
            "2147483647",
            "2147483648",
            "9223372036854775808",
            "1e9",
            "1e400",
            "1e999999999",
            "1e99999999999",
            "1e-999999999",
            "9".repeat(50_000),
            "\"\"",
            "\" \"",
            "\"x\"",
            "\"/\"",
            "\"..\"",
            "\"a/b\"",
            "\"a/b/c\"",
            "\"%2e%2e\"",
            "\"\\u0000\"",
            "\"\\ud800\"",
            "\"\\udfff\\ud800\"",
            "\"true\"",
            "\"99999999999999999999\"",
            "\"-5\"",
            "\"" + "x".repeat(100_000) + "\"",
            "\"1.2.3\"",
            "\"1.2.3+" + "a.".repeat(20_000) + "a\"",
            "\"1.2.3-" + "a.".repeat(20_000) + "a\"",
            "\"" + "9".repeat(50_000) + ".0.0\"",
            "\"1.2.3-" + "9".repeat(50_000) + "\"",
            "\"2026-13-45T99:99:99Z\"",
            "\"2026-01-01T00:00:00Z\"",
            "\"2026-01-01T00:00:00.999999999+18:00\"",
            "\"0000-01-01T00:00:00Z\"",
            "\"9999-12-31T23:59:59.999999Z\"",
            "\"+999999999-12-31T23:59:59Z\"",
            "\"-999999999-01-01T00:00:00Z\"",
            "\"n/a\"",
            "\"n+999999999@0/a\"",
            "\"n~999999999@9223372036854775807/orders-a\"",
            "\"@/x\"",
            "\"{}\"",
            "\"{\"",
            "\"[]\"",
            "\"{\\\"holderIdentity\\\":\\\"x\\\",\\\"leaseDurationSeconds\\\":2147483647,"
                    + "\\\"acquireTime\\\":\\\"+999999999-12-31T23:59:59Z\\\",\\\"renewTime\\\":null,"
                    + "\\\"leaderTransitions\\\":2147483647}\"",
            "[]",
            "[null]",
            "[[]]",
            "[{}]",
            "[1,\"x\",{\"a\":[]}]",
            "{}",
            "{\"a\":1}",
            "{\"\":{\"\":{}}}",
            "[".repeat(100) + "]".repeat(100));

    private static final List<String> FRAGMENTS = List.of(
            "\u0000",
            "\uFEFF",
            "\uFFFF",
            "\"",
            "\\",
            "\\u12",
            "\n",
            "\r\n",
            ",",
            ",,",
            ":",
            "{",
            "}",
            "[",
            "]",
            "NaN",
            "Infinity",
            "-",
            "1e",
            "'",
            "//x\n",
            "/*",
            "{\"items\":[",
            "[".repeat(30_000),
            "{\"a\":".repeat(30_000));

    private final SplittableRandom random;

    /** A source of hostile text. */
    public HostileText(long seed) {
        random = new SplittableRandom(seed);
    }

    /** A number from 0 to below the bound. */
    public int below(int bound) {
        return random.nextInt(bound);
    }

    /** One of several. */
    public <T> T oneOf(List<T> values) {
        return values.get(random.nextInt(values.size()));
    }

    /** A hostile object that is JSON still. */
    public JsonObject mutated(JsonObject valid) {
        JsonObject hostile = valid.deepCopy();
        for (int changes = 1 + random.nextInt(4); changes > 0; changes--) {
            change(hostile);
        }
        return hostile;
    }

    /** The text of a hostile object, in one of three cases no longer JSON. */
    public String mutatedText(JsonObject valid) {
        String text = GSON.toJson(mutated(valid));
        return random.nextInt(3) == 0 ? garbled(text) : text;
    }

    /** Text with pieces cut, repeated, replaced or put in. */
    public String garbled(String text) {
        StringBuilder garbled = new StringBuilder(text);
        for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
            int at = random.nextInt(garbled.length() + 1);
            int end = Math.min(garbled.length(), at + random.nextInt(20));
            switch (random.nextInt(5)) {
                case 0 -> garbled.setLength(at);
                case 1 -> garbled.delete(at, end);
                case 2 -> garbled.insert(at, garbled.substring(at, end));
                case 3 -> garbled.insert(at, (char) random.nextInt(Character.MAX_VALUE + 1));
                default -> garbled.insert(at, oneOf(FRAGMENTS));
            }
        }
        return garbled.toString();
    }

    /** Bytes of which some are replaced, so that the text isn't UTF-8 any more. */
    public byte[] corrupted(byte[] bytes) {
        byte[] corrupted = bytes.clone();
        for (int changes = 1 + random.nextInt(8); changes > 0 && corrupted.length > 0; changes--) {
            corrupted[random.nextInt(corrupted.length)] = (byte) random.nextInt(256);
        }
        return corrupted;
    }

    private void change(JsonObject root) {
        List<JsonElement> containers = new ArrayList<>();
        collect(root, containers);
        JsonElement container = oneOf(containers);
        if (container instanceof JsonObject object) {
            List<String> names = new ArrayList<>(object.keySet());
            String name = names.isEmpty() || random.nextInt(10) == 0 ? "unknown" + random.nextInt(3) : oneOf(names);
            if (random.nextInt(6) == 0) {
                object.remove(name);
            } else {
                object.add(name, value(object.get(name)));
            }
        } else if (container instanceof JsonArray array) {
            if (array.isEmpty() || random.nextBoolean()) {
                array.add(value(null));
            } else {
                array.set(random.nextInt(array.size()), value(null));
            }
        }
    }

    private JsonElement value(JsonElement former) {
        if (former != null && random.nextInt(8) == 0) {
            JsonArray wrapped = new JsonArray();
            wrapped.add(former.deepCopy());
            return wrapped;
        }
        return JsonParser.parseString(oneOf(VALUES));
    }

    private static void collect(JsonElement element, List<JsonElement> containers) {
        if (element instanceof JsonObject object) {
            containers.add(object);
            for (Map.Entry<String, JsonElement> member : object.entrySet()) {
                collect(member.getValue(), containers);
            }
        } else if (element instanceof JsonArray array) {
            containers.add(array);
            array.forEach(item -> collect(item, containers));
        }
    }
}
