package io.cle.coordinator;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** The manifests in {@code deploy/}, as maps and lists. */
final class Manifests {

    static final Path FOLDER = Path.of("deploy");

    /** The chart, whose templates aren't YAML. */
    static final Path HELM = FOLDER.resolve("helm");

    /** Manifests that are part of the chart and of kustomizations. */
    static final Path SHARED = HELM.resolve("files");

    private Manifests() {}

    /** Returns the YAML files of a folder below {@link #FOLDER}, including subfolders and kustomizations; none if it doesn't exist. */
    static List<Path> files(String folder) {
        Path root = FOLDER.resolve(folder);
        if (!Files.exists(root)) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(root)) {
            return files.filter(file -> file.toString().endsWith(".yaml"))
                    .filter(file -> !file.startsWith(HELM) || file.startsWith(SHARED))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the documents of a file. */
    static List<Map<String, Object>> documents(Path file) {
        return documents(read(file));
    }

    /** Returns the documents of a text, without empty ones. */
    @SuppressWarnings("unchecked")
    static List<Map<String, Object>> documents(String text) {
        LoaderOptions options = new LoaderOptions();
        options.setAllowDuplicateKeys(false);
        Iterable<Object> documents = new Yaml(new SafeConstructor(options)).loadAll(text);
        return StreamSupport.stream(documents.spliterator(), false)
                .filter(Objects::nonNull)
                .map(document -> (Map<String, Object>) document)
                .toList();
    }

    /** Returns the object of a kind and a name, before patches. */
    static Map<String, Object> object(String kind, String name) {
        return Stream.of(
                        "base",
                        "all-namespaces",
                        "application",
                        "direct-lock",
                        "leader-migration",
                        "leader-pod",
                        "legacy-lock")
                .flatMap(folder -> files(folder).stream())
                .flatMap(file -> documents(file).stream())
                .filter(object -> kind.equals(object.get("kind"))
                        && object.containsKey("metadata")
                        && name.equals(at(object, "metadata", "name")))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no " + kind + " " + name + " in " + FOLDER));
    }

    static boolean isDeployment(Map<String, Object> object) {
        return "Deployment".equals(object.get("kind"));
    }

    /** Returns the deployment's only container. */
    static Map<String, Object> container() {
        return at(object("Deployment", "cle-coordinator"), "spec", "template", "spec", "containers", 0);
    }

    /** Returns the paths of the deployment's probes. */
    static List<String> probePaths() {
        return Stream.of("startupProbe", "livenessProbe", "readinessProbe")
                .map(probe -> Manifests.<String>at(container(), probe, "httpGet", "path"))
                .distinct()
                .toList();
    }

    /** Returns the value at a path of names and indices. */
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    static <T> T at(Object root, Object... path) {
        Object value = root;
        for (Object step : path) {
            Object next = step instanceof Integer index
                    ? ((List<Object>) value).get(index)
                    : ((Map<String, Object>) value).get(step);
            if (next == null) {
                throw new AssertionError("nothing at " + List.of(path) + " of " + root);
            }
            value = next;
        }
        return (T) value;
    }

    static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
