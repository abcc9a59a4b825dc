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

/** The {@code fieldSelector} of a request: {@code metadata.name=a,status.phase!=Running}, all of which must hold. */
public final class FieldSelector {

    private static final String BY_NAME = "metadata.name=";
    private static final Pattern NAME = Pattern.compile("[\\w.-]+");
    private static final Pattern TERM = Pattern.compile("\\s*([\\w.]+)\\s*(==|!=|=)\\s*(.*?)\\s*");

    private FieldSelector() {}

    /**
     * Parses a selector.
     *
     * @param selector null or empty for all
     * @param selectable the selectable fields of this kind, besides name and namespace
     * @throws ApiFailure 400 if it is malformed or names another field
     */
    public static Predicate<JsonObject> parse(@Nullable String selector, Set<String> selectable) {
        if (selector == null || selector.isBlank()) {
            return object -> true;
        }
        if (selector.startsWith(BY_NAME)
                && NAME.matcher(selector)
                        .region(BY_NAME.length(), selector.length())
                        .matches()) {
            return name(selector.substring(BY_NAME.length()));
        }
        List<Predicate<JsonObject>> terms = new ArrayList<>();
        for (String term : selector.split(",")) {
            Matcher matcher = TERM.matcher(term);
            if (!matcher.matches()) {
                throw ApiFailure.badRequest("invalid selector: '" + selector + "'; can't understand '" + term + "'");
            }
            String field = matcher.group(1);
            if (!field.equals("metadata.name") && !field.equals("metadata.namespace") && !selectable.contains(field)) {
                throw ApiFailure.badRequest("field label not supported: " + field);
            }
            String value = matcher.group(3);
            boolean wanted = !matcher.group(2).equals("!=");
            String[] path = field.split("\\.");
            terms.add(object -> wanted == value.equals(valueOf(object, path)));
        }
        return terms.stream().reduce(Predicate::and).orElseThrow();
    }

    /** Matches objects by name. */
    public static Predicate<JsonObject> name(String name) {
        return object -> name.equals(Metadata.name(object));
    }

    private static String valueOf(JsonObject object, String[] path) {
        JsonElement value = Metadata.at(object, path);
        return value != null && value.isJsonPrimitive() ? value.getAsString() : "";
    }
}
