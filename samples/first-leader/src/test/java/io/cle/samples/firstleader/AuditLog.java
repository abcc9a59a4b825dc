package io.cle.samples.firstleader;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;

/** An API server's audit log. */
final class AuditLog {

    private final Path file;

    AuditLog(Path file) {
        this.file = file;
    }

    /**
     * A request.
     *
     * @param verb as in roles
     * @param resource the plural, with the subresource as in roles
     * @param name of the object; empty if the request names none
     */
    record Request(String user, String verb, String resource, String namespace, String name) {

        /** Returns the required right, as {@code verb resource}. */
        String right() {
            return verb + " " + resource;
        }

        private static Request of(JsonObject event) {
            JsonObject object = event.getAsJsonObject("objectRef");
            String subresource = text(object, "subresource");
            return new Request(
                    text(event.getAsJsonObject("user"), "username"),
                    text(event, "verb"),
                    text(object, "resource") + (subresource.isEmpty() ? "" : "/" + subresource),
                    text(object, "namespace"),
                    text(object, "name"));
        }

        private static String text(JsonObject object, String field) {
            JsonElement value = object.get(field);
            return value == null ? "" : value.getAsString();
        }
    }

    /** Returns the requests of a service account for objects, without those about the server, which everybody may send. */
    List<Request> requestsOf(String serviceAccount) {
        String user = "system:serviceaccount:" + serviceAccount;
        return events().filter(event -> event.has("objectRef"))
                .map(Request::of)
                .filter(request -> request.user().equals(user))
                .toList();
    }

    /** Returns the complete lines. The server may be writing another, of which only a part would be read. */
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

    /** Returns the requests of service accounts that were refused with the status 403, each as a line. */
    List<String> forbidden() {
        return events().filter(event ->
                        Request.text(event.getAsJsonObject("user"), "username").startsWith("system:serviceaccount:"))
                .filter(event -> decision(event).equals("forbid")
                        || (event.has("responseStatus")
                                && Request.text(event.getAsJsonObject("responseStatus"), "code")
                                        .equals("403")))
                .map(event -> Request.text(event.getAsJsonObject("user"), "username") + ": "
                        + Request.text(event, "verb") + " " + Request.text(event, "requestURI"))
                .distinct()
                .toList();
    }

    private static String decision(JsonObject event) {
        return event.has("annotations")
                ? Request.text(event.getAsJsonObject("annotations"), "authorization.k8s.io/decision")
                : "";
    }

    private Stream<JsonObject> events() {
        return written().lines().map(line -> JsonParser.parseString(line).getAsJsonObject());
    }
}
