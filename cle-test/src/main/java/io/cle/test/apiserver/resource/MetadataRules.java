package io.cle.test.apiserver.resource;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.cle.test.apiserver.status.StatusCause;
import io.cle.test.apiserver.store.Metadata;

/** Validates names, labels and annotations like Kubernetes' {@code apimachinery/pkg/util/validation}. */
public final class MetadataRules {

    private static final String LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
    private static final String SUBDOMAIN = LABEL + "(\\." + LABEL + ")*";
    private static final String WORD = "[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?";
    private static final Pattern KEY = Pattern.compile("(" + SUBDOMAIN + "/)?(?=.{1,63}\\z)" + WORD);
    private static final Pattern VALUE = Pattern.compile("(?=.{0,63}\\z)(" + WORD + ")?");

    private MetadataRules() {}

    /** The form of an object's name. */
    public enum NameForm {
        /** Most objects. */
        SUBDOMAIN(
                "(?=.{1,253}\\z)" + MetadataRules.SUBDOMAIN,
                "must be of lower-case letters, digits, '-' and '.', at most 253, each part between dots with a letter or"
                        + " digit at its ends"),
        /** Namespaces. */
        LABEL(
                "(?=.{1,63}\\z)" + MetadataRules.LABEL,
                "must be of lower-case letters, digits and '-', at most 63, with a letter or digit at its ends"),
        /** Native lease candidates: as the key of a config map. */
        CONFIG_KEY(
                "(?!\\.{1,2}\\z)[-._a-zA-Z0-9]{1,253}",
                "must be of letters, digits, '-', '_' and '.', at most 253, and not '.' or '..'");

        private final Pattern form;
        private final String explanation;

        NameForm(String form, String explanation) {
            this.form = Pattern.compile(form);
            this.explanation = explanation;
        }
    }

    /** Adds the errors in the object's metadata to {@code causes}. */
    public static void validate(JsonObject object, NameForm form, List<StatusCause> causes) {
        JsonObject metadata = Metadata.of(object);
        String name = Metadata.name(object);
        if (!name.isEmpty()) {
            check("metadata.name", name, form.form, form.explanation, causes);
        } else if (Metadata.text(metadata, "generateName").isEmpty()) {
            causes.add(StatusCause.required("metadata.name", "name or generateName is required"));
        }
        Metadata.labels(object).asMap().forEach((key, value) -> {
            validateKey("metadata.labels", key, causes);
            check(
                    "metadata.labels",
                    textOf(value),
                    VALUE,
                    "must be of letters, digits, '-', '_' and '.', at most 63, with a letter or digit at its ends",
                    causes);
        });
        Metadata.child(metadata, "annotations")
                .keySet()
                .forEach(key -> validateKey("metadata.annotations", key.toLowerCase(Locale.ROOT), causes));
    }

    /** Adds to {@code causes} the errors in a name with an optional domain, such as a label's key. */
    public static void validateKey(String field, String key, List<StatusCause> causes) {
        check(
                field,
                key,
                KEY,
                "must be of letters, digits, '-', '_' and '.', at most 63, with a letter or digit at its ends, behind an"
                        + " optional domain such as example.com/",
                causes);
    }

    private static void check(String field, String text, Pattern form, String explanation, List<StatusCause> causes) {
        if (!form.matcher(text).matches()) {
            causes.add(StatusCause.invalid(field, '"' + text + '"', explanation));
        }
    }

    private static String textOf(JsonElement value) {
        return value.isJsonPrimitive() ? value.getAsString() : "";
    }
}
