package io.cle.test.apiserver;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

import com.google.gson.JsonObject;

/**
 * The CustomResourceDefinitions of coordinated leader election: the very manifests that the coordinator is deployed with.
 */
public final class CustomResourceDefinitions {

    private static final List<String> NAMES = List.of("leasecandidates", "leaseconfigurations");

    private CustomResourceDefinitions() {}

    /** Returns a new copy of each, as JSON. */
    public static List<JsonObject> all() {
        return manifests().stream().map(YamlDocuments::parseObject).toList();
    }

    /** Returns all of them as YAML. */
    public static List<String> manifests() {
        return NAMES.stream().map(CustomResourceDefinitions::read).toList();
    }

    private static String read(String name) {
        String file = "crds/" + name + ".yaml";
        try (InputStream in = CustomResourceDefinitions.class.getResourceAsStream(file)) {
            if (in == null) {
                throw new IllegalStateException("cle-test was built without " + file
                        + ", which is copied from cle-coordinator-app/deploy/helm/files/crds");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
