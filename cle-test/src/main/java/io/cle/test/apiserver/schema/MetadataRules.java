package io.cle.test.apiserver.schema;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.cle.test.apiserver.status.StatusCause;
import io.cle.test.apiserver.store.Metadata;

/** What names, labels and annotations may look like, as in Kubernetes' {@code apimachinery/pkg/util/validation}. */
public final class MetadataRules {

    private static final String SUBDOMAIN_FORM = "[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*";
    private static final String LABEL_FORM = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
    private static final String VALUE_FORM = "(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?";
    private static final String NAME_PART_FORM = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
    private static final Pattern CONFIG_KEY = Pattern.compile("[-._a-zA-Z0-9]+");
    private static final String WHAT_SUBDOMAIN =
            "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric"
                    + " characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex"
                    + " used for validation is '" + SUBDOMAIN_FORM + "')";
    private static final String WHAT_NAME_PART =
            "must consist of alphanumeric characters, '-', '_' or '.', and must start"
                    + " and end with an alphanumeric character (e.g. 'MyName', or 'my.name', or '123-abc', regex used for"
                    + " validation is '" + NAME_PART_FORM + "')";
    private static final int LONGEST_NAME = 253;
    private static final int LONGEST_LABEL = 63;

    private MetadataRules() {}

    /** How the name of an object must be formed. */
    public enum NameForm {
        /** Most objects: lower case, digits, dashes and dots. */
        SUBDOMAIN,
        /** Namespaces: no dots, at most 63 characters. */
        LABEL,
        /** Native lease candidates: as the key of a config map. */
        CONFIG_KEY,
        /** RBAC objects: nearly anything. */
        PATH_SEGMENT
    }

    /** Adds to {@code causes} what is wrong with the object's metadata. */
    public static void validate(JsonObject object, NameForm form, List<StatusCause> causes) {
        JsonObject metadata = Metadata.of(object);
        String name = Metadata.name(object);
        String generateName = Metadata.string(metadata, "generateName");
        if (!name.isEmpty()) {
            validateName(name, form, causes);
        } else if (generateName == null || generateName.isEmpty()) {
            causes.add(StatusCause.required("metadata.name", "name or generateName is required"));
        }
        if (metadata.get("labels") instanceof JsonObject labels) {
            for (Map.Entry<String, JsonElement> label : labels.entrySet()) {
                for (String violation : qualifiedNameViolations(label.getKey())) {
                    causes.add(StatusCause.invalid("metadata.labels", quote(label.getKey()), violation));
                }
                validateLabelValue(label.getValue(), causes);
            }
        }
        if (metadata.get("annotations") instanceof JsonObject annotations) {
            for (String key : annotations.keySet()) {
                for (String violation : qualifiedNameViolations(key.toLowerCase(Locale.ROOT))) {
                    causes.add(StatusCause.invalid("metadata.annotations", quote(key), violation));
                }
            }
        }
    }

    /** What is wrong with a name with an optional prefix, such as a label's key; empty when nothing is. */
    public static List<String> qualifiedNameViolations(String name) {
        int slash = name.indexOf('/');
        if (slash != name.lastIndexOf('/')) {
            return List.of("a valid label key " + WHAT_NAME_PART
                    + " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')");
        }
        if (slash == 0) {
            return List.of("prefix part must be non-empty");
        }
        if (slash > 0 && !isSubdomain(name.substring(0, slash))) {
            return List.of("prefix part " + WHAT_SUBDOMAIN);
        }
        String last = name.substring(slash + 1);
        if (last.isEmpty()) {
            return List.of("name part must be non-empty", "name part " + WHAT_NAME_PART);
        }
        if (last.length() > LONGEST_LABEL) {
            return List.of("name part must be no more than 63 bytes");
        }
        return isWord(last, 0, last.length(), true, "-_.") ? List.of() : List.of("name part " + WHAT_NAME_PART);
    }

    private static void validateName(String name, NameForm form, List<StatusCause> causes) {
        int longest = form == NameForm.LABEL ? LONGEST_LABEL : LONGEST_NAME;
        if (name.length() > longest && form != NameForm.PATH_SEGMENT) {
            causes.add(StatusCause.invalid(
                    "metadata.name", quote(name), "must be no more than " + longest + " characters"));
        }
        switch (form) {
            case SUBDOMAIN -> {
                if (!isSubdomain(name)) {
                    causes.add(StatusCause.invalid("metadata.name", quote(name), WHAT_SUBDOMAIN));
                }
            }
            case LABEL -> {
                if (!isWord(name, 0, name.length(), false, "-")) {
                    causes.add(StatusCause.invalid(
                            "metadata.name",
                            quote(name),
                            "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and"
                                    + " must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc',"
                                    + " regex used for validation is '" + LABEL_FORM + "')"));
                }
            }
            case CONFIG_KEY -> {
                if (name.equals(".") || name.equals("..")) {
                    causes.add(StatusCause.invalid("metadata.name", quote(name), "must not be '" + name + "'"));
                }
                if (!CONFIG_KEY.matcher(name).matches()) {
                    causes.add(
                            StatusCause.invalid(
                                    "metadata.name",
                                    quote(name),
                                    "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',"
                                            + "  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')"));
                }
            }
            case PATH_SEGMENT -> {
                if (name.contains("/") || name.contains("%")) {
                    causes.add(StatusCause.invalid("metadata.name", quote(name), "may not contain '/' or '%'"));
                }
            }
        }
    }

    private static void validateLabelValue(JsonElement element, List<StatusCause> causes) {
        String value = element.isJsonPrimitive() ? element.getAsString() : "";
        if (value.length() > LONGEST_LABEL) {
            causes.add(StatusCause.invalid("metadata.labels", quote(value), "must be no more than 63 characters"));
        }
        if (!value.isEmpty() && !isWord(value, 0, value.length(), true, "-_.")) {
            causes.add(StatusCause.invalid(
                    "metadata.labels",
                    quote(value),
                    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must"
                            + " start and end with an alphanumeric character (e.g. 'MyValue', or 'my_value', or '12345',"
                            + " regex used for validation is '" + VALUE_FORM + "')"));
        }
    }

    /** Whether the part of a text is letters and digits, with other characters only between them. */
    private static boolean isWord(String text, int from, int to, boolean capitals, String between) {
        for (int at = from; at < to; at++) {
            char c = text.charAt(at);
            boolean letterOrDigit =
                    (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || (capitals && c >= 'A' && c <= 'Z');
            if (!letterOrDigit && (at == from || at == to - 1 || between.indexOf(c) < 0)) {
                return false;
            }
        }
        return from < to;
    }

    private static boolean isSubdomain(String text) {
        int from = 0;
        for (int dot = text.indexOf('.'); dot >= 0; dot = text.indexOf('.', from)) {
            if (!isWord(text, from, dot, false, "-")) {
                return false;
            }
            from = dot + 1;
        }
        return isWord(text, from, text.length(), false, "-");
    }

    private static String quote(String value) {
        return "\"" + value + "\"";
    }
}
