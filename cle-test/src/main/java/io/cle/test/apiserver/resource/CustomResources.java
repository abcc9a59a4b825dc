package io.cle.test.apiserver.resource;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import io.cle.test.apiserver.status.StatusCause;
import io.cle.test.apiserver.store.Metadata;
import org.jspecify.annotations.Nullable;

/** Creates kinds from CustomResourceDefinitions, and validates these definitions. */
final class CustomResources implements ObjectRules {

    /** The only supported filter of a path. */
    private static final Pattern OF_A_CONDITION = Pattern.compile("(.+)\\[\\?\\(@\\.type==\"(\\w+)\"\\)]\\.(\\w+)");

    @Override
    public List<String> decode(JsonObject object) {
        if (object.get("spec") instanceof JsonObject spec && spec.get("names") instanceof JsonObject names) {
            String kind = Metadata.string(names, "kind");
            if (kind != null && !names.has("listKind")) {
                names.addProperty("listKind", kind + "List");
            }
            if (kind != null && !names.has("singular")) {
                names.addProperty("singular", kind.toLowerCase(Locale.ROOT));
            }
        }
        object.add("status", established(object));
        return List.of();
    }

    @Override
    public void validate(JsonObject object, @Nullable JsonObject present, List<StatusCause> causes) {
        for (String path :
                List.of("spec.group", "spec.scope", "spec.names.plural", "spec.names.kind", "spec.versions")) {
            if (Metadata.at(object, path) == null) {
                causes.add(StatusCause.required(path, ""));
            }
        }
        if (causes.isEmpty()) {
            String name = text(object, "spec.names.plural") + "." + text(object, "spec.group");
            if (!name.equals(Metadata.name(object))) {
                causes.add(StatusCause.invalid(
                        "metadata.name",
                        '"' + Metadata.name(object) + '"',
                        "must be spec.names.plural+\".\"+spec.group"));
            }
        }
    }

    /** Returns the kinds that a definition defines: one per served version. */
    static List<ApiResource> typesOf(JsonObject definition) {
        List<ApiResource> types = new ArrayList<>();
        JsonObject spec = definition.getAsJsonObject("spec");
        for (JsonElement element : spec.getAsJsonArray("versions")) {
            JsonObject version = element.getAsJsonObject();
            if (version.get("served").getAsBoolean()) {
                types.add(typeOf(definition, version));
            }
        }
        return types;
    }

    private static ApiResource typeOf(JsonObject definition, JsonObject version) {
        String apiVersion = text(definition, "spec.group") + "/" + text(version, "name");
        String kind = text(definition, "spec.names.kind");
        String plural = text(definition, "spec.names.plural");
        ApiResource.Builder type = text(definition, "spec.scope").equals("Cluster")
                ? ApiResource.clusterScoped(apiVersion, kind, plural)
                : ApiResource.namespaced(apiVersion, kind, plural);
        List<String> shorts = new ArrayList<>();
        if (Metadata.at(definition, "spec.names.shortNames") instanceof JsonArray names) {
            names.forEach(name -> shorts.add(name.getAsString()));
        }
        if (Metadata.at(version, "schema.openAPIV3Schema") instanceof JsonObject schema) {
            type.rules(new StructuralSchema(schema));
        }
        return type.called(text(definition, "spec.names.singular"), shorts)
                .custom()
                .statusSubresource(Metadata.at(version, "subresources.status") != null)
                .columns(columnsOf(version))
                .build();
    }

    private static List<PrinterColumn> columnsOf(JsonObject version) {
        if (!(version.get("additionalPrinterColumns") instanceof JsonArray columns)) {
            return List.of(PrinterColumn.NAME, PrinterColumn.AGE);
        }
        List<PrinterColumn> shown = new ArrayList<>();
        shown.add(PrinterColumn.NAME);
        for (JsonElement element : columns) {
            JsonObject column = element.getAsJsonObject();
            String path = text(column, "jsonPath").substring(1);
            String name = text(column, "name");
            int priority = column.get("priority") instanceof JsonPrimitive value ? value.getAsInt() : 0;
            Matcher condition = OF_A_CONDITION.matcher(path);
            if (condition.matches()) {
                shown.add(PrinterColumn.condition(
                        name, priority, condition.group(1), condition.group(2), condition.group(3)));
            } else {
                shown.add(
                        text(column, "type").equals("date")
                                ? PrinterColumn.age(name, path)
                                : PrinterColumn.field(name, text(column, "type"), priority, path));
            }
        }
        return shown;
    }

    private static JsonObject established(JsonObject definition) {
        JsonObject status = JsonParser.parseString("""
                        {"conditions": [{"type": "NamesAccepted", "status": "True"}, {"type": "Established", "status": "True"}]}
                        """).getAsJsonObject();
        JsonElement names = Metadata.at(definition, "spec.names");
        if (names != null) {
            status.add("acceptedNames", names.deepCopy());
        }
        return status;
    }

    private static String text(JsonObject object, String path) {
        return Metadata.at(object, path) instanceof JsonPrimitive value ? value.getAsString() : "";
    }
}
