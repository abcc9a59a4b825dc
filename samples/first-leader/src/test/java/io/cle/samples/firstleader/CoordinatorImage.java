package io.cle.samples.firstleader;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;

import static org.assertj.core.api.Assertions.assertThat;

/** The coordinator's image without its base, unpacked: a container's file system without the JRE. */
final class CoordinatorImage {

    private static final Path LAYERS = JarProcess.ROOT.resolve("cle-coordinator-app/target/layers.tar");

    private final Path root;
    private final JsonObject config;

    private CoordinatorImage(Path root, JsonObject config) {
        this.root = root;
        this.config = config;
    }

    /** Whether the build has reached {@code package}. */
    static boolean built() {
        return Files.exists(LAYERS);
    }

    /** Unpacks the image's layers. */
    static CoordinatorImage unpack(Path folder) throws IOException, InterruptedException {
        Path archive = Files.createDirectories(folder.resolve("archive"));
        Path root = Files.createDirectories(folder.resolve("root"));
        extract(LAYERS, archive);
        JsonObject manifest =
                json(archive.resolve("manifest.json")).getAsJsonArray().get(0).getAsJsonObject();
        for (JsonElement layer : manifest.getAsJsonArray("Layers")) {
            extract(archive.resolve(layer.getAsString()), root);
        }
        return new CoordinatorImage(
                root,
                json(archive.resolve(manifest.get("Config").getAsString()))
                        .getAsJsonObject()
                        .getAsJsonObject("config"));
    }

    private static JsonElement json(Path file) throws IOException {
        return JsonParser.parseString(Files.readString(file));
    }

    private static void extract(Path archive, Path folder) throws IOException, InterruptedException {
        Path output = Files.createTempFile("tar", ".out");
        Process tar = new ProcessBuilder("tar", "-xf", archive.toString(), "-C", folder.toString())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        assertThat(tar.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(tar.exitValue()).as(Files.readString(output)).isZero();
        Files.delete(output);
    }

    /** Returns a file, by its path in the container. */
    Path file(String path) {
        return root.resolve(path.substring(1));
    }

    /** Returns the user and group, as numbers. */
    String user() {
        return config.get("User").getAsString();
    }

    /** Returns the exposed ports, for instance {@code 8081/tcp}. */
    List<String> ports() {
        return List.copyOf(config.getAsJsonObject("ExposedPorts").keySet());
    }

    /** Returns the command line of a container. */
    List<String> entrypoint() {
        return config.getAsJsonArray("Entrypoint").asList().stream()
                .map(JsonElement::getAsString)
                .toList();
    }

    /** Starts the container's process on this JDK, with the JIT compiler of all tests. */
    JarProcess start(Map<String, String> environment, Path output, List<String> arguments) throws IOException {
        List<String> java = new ArrayList<>(entrypoint());
        assertThat(java.remove(0)).isEqualTo("java");
        int classPath = java.indexOf("-cp") + 1;
        java.set(classPath, "@" + classPathOf(java.get(classPath).substring(1)));
        java.addAll(arguments);
        Map<String, String> variables =
                new HashMap<>(Map.of("JAVA_TOOL_OPTIONS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"));
        for (JsonElement variable : config.getAsJsonArray("Env")) {
            String[] named = variable.getAsString().split("=", 2);
            variables.put(named[0], named[1]);
        }
        variables.putAll(environment);
        return JarProcess.java(java, variables, output, root);
    }

    /** Writes the file with the class path for another root of the file system. */
    private Path classPathOf(String file) throws IOException {
        return Files.writeString(
                root.resolve("class-path"),
                Arrays.stream(Files.readString(file(file)).split(":"))
                        .map(entry -> root + entry)
                        .collect(Collectors.joining(File.pathSeparator)));
    }
}
