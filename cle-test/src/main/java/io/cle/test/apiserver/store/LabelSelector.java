package io.cle.test.apiserver.store;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.cle.test.apiserver.status.ApiFailure;
import org.jspecify.annotations.Nullable;

/** The {@code labelSelector} of a request: {@code a=b, c!=d, e in (f, g), h notin (i), j, !k}, all of which must hold. */
public final class LabelSelector {

    private static final Pattern REQUIREMENT = Pattern.compile("\\s*(!)?\\s*(?<key>[\\w./-]+)\\s*"
            + "(?:(?<op>==|!=|=)\\s*(?<value>[\\w.-]*)|(?<set>in|notin)\\s*\\((?<values>[^)]*)\\))?\\s*");

    private LabelSelector() {}

    /**
     * Parses a selector.
     *
     * @param selector null or empty for all
     * @throws ApiFailure 400 if it is malformed
     */
    public static Predicate<JsonObject> parse(@Nullable String selector) {
        if (selector == null || selector.isBlank()) {
            return object -> true;
        }
        List<Predicate<JsonObject>> requirements = new ArrayList<>();
        Matcher matcher = REQUIREMENT.matcher(selector);
        int at = 0;
        while (at < selector.length()) {
            matcher.region(at, selector.length());
            if (!matcher.lookingAt() || (matcher.end() < selector.length() && selector.charAt(matcher.end()) != ',')) {
                throw ApiFailure.badRequest("unable to parse requirement: found '" + selector.substring(at)
                        + "', expected: in, notin, =, ==, !=, exists, !exists");
            }
            requirements.add(requirement(matcher));
            at = matcher.end() + 1;
        }
        return object -> {
            JsonObject labels = Metadata.labels(object);
            for (Predicate<JsonObject> requirement : requirements) {
                if (!requirement.test(labels)) {
                    return false;
                }
            }
            return true;
        };
    }

    private static Predicate<JsonObject> requirement(Matcher matcher) {
        String key = matcher.group("key");
        if (matcher.group(1) != null) {
            return labels -> !labels.has(key);
        }
        String op = matcher.group("op");
        if (op != null) {
            String value = matcher.group("value");
            boolean wanted = !op.equals("!=");
            return labels -> wanted == value.equals(valueOf(labels, key));
        }
        if (matcher.group("set") != null) {
            Set<String> values =
                    Set.copyOf(List.of(matcher.group("values").trim().split("\\s*,\\s*")));
            boolean wanted = matcher.group("set").equals("in");
            return labels -> {
                String value = valueOf(labels, key);
                return wanted == (value != null && values.contains(value));
            };
        }
        return labels -> labels.has(key);
    }

    private static @Nullable String valueOf(JsonObject labels, String key) {
        JsonElement value = labels.get(key);
        return value != null && value.isJsonPrimitive() ? value.getAsString() : null;
    }
}
