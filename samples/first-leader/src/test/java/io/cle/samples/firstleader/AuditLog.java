package io.cle.samples.firstleader;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;

/** What an API server has written of who asked for what. */
final class AuditLog {

    private final Path file;

    AuditLog(Path file) {
        this.file = file;
    }

    /**
     * A request.
     *
     * @param right {@code verb resource.group}
     * @param name of the object; empty where the request names none
     */
    record Request(String user, String right, String namespace, String name, boolean allowed) {

        private static Request of(JsonObject event) {
            JsonObject object = event.getAsJsonObject("objectRef");
            String group = text(object, "apiGroup");
            return new Request(
                    text(event.getAsJsonObject("user"), "username"),
                    text(event, "verb") + " " + text(object, "resource") + (group.isEmpty() ? "" : "." + group),
                    text(object, "namespace"),
                    text(object, "name"),
                    event.has("annotations")
                            && text(event.getAsJsonObject("annotations"), "authorization.k8s.io/decision")
                                    .equals("allow"));
        }

        private static String text(JsonObject object, String field) {
            JsonElement value = object.get(field);
            return value == null ? "" : value.getAsString();
        }
    }

    /** The requests of a service account for objects; what everyone may ask, about itself or the server, left out. */
    List<Request> requestsOf(String serviceAccount) {
        String user = "system:serviceaccount:" + serviceAccount;
        return written()
                .lines()
                .map(line -> JsonParser.parseString(line).getAsJsonObject())
                .filter(event -> event.has("objectRef"))
                .map(Request::of)
                .filter(request -> request.user().equals(user))
                .filter(request -> !request.right().endsWith(".authorization.k8s.io"))
                .toList();
    }

    /** The lines that are complete. The server may be writing another one, of which only a part would be read. */
    private String written() {
        try {
            byte[] bytes = Files.readAllBytes(file);
            int end = bytes.length;
            while (end > 0 && bytes[end - 1] != '\n') {
                end--;
            }
            return new String(bytes, 0, end, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The rights that a service account has used. */
    Set<String> usedBy(String serviceAccount, Predicate<Request> where) {
        return requestsOf(serviceAccount).stream()
                .filter(where)
                .map(Request::right)
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
