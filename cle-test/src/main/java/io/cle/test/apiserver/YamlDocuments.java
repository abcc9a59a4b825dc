package io.cle.test.apiserver;

import com.google.gson.Gson;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.YAMLException;

/** Reads YAML as JSON. */
final class YamlDocuments {

    private static final Gson GSON = new Gson();

    private YamlDocuments() {}

    /**
     * Parses a single document.
     *
     * @throws JsonParseException when it isn't YAML
     */
    static JsonElement parse(String yaml) {
        try {
            Object document = new Yaml(new SafeConstructor(new LoaderOptions())).load(yaml);
            return GSON.toJsonTree(document);
        } catch (YAMLException e) {
            throw new JsonParseException(e.getMessage(), e);
        }
    }

    static JsonObject parseObject(String yaml) {
        return parse(yaml).getAsJsonObject();
    }
}
