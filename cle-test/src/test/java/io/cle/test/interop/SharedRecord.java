package io.cle.test.interop;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Set;
import java.util.TreeSet;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.cle.kubernetes.DirectLock;
import io.cle.model.ObjectKey;

/**
 * The record of an election, as it stands in the cluster.
 *
 * @param text byte for byte: the annotation's value, or a Lease's {@code spec}
 */
record SharedRecord(DirectLock kind, String text) {

    private static final String ANNOTATION = "control-plane.alpha.kubernetes.io/leader";

    /** client-go's form: the five fields in this order, nothing between them, times in whole seconds of UTC. */
    static final String CLIENT_GO_FORM =
            "\\{\"holderIdentity\":\"([^\"\\\\<>&]|\\\\.)*\",\"leaseDurationSeconds\":\\d+,"
                    + "\"acquireTime\":\"\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ\","
                    + "\"renewTime\":\"\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ\",\"leaderTransitions\":\\d+}";

    static SharedRecord read(String url, DirectLock kind, ObjectKey key) {
        String group = kind == DirectLock.LEASES ? "/apis/coordination.k8s.io/v1" : "/api/v1";
        String path =
                "/namespaces/" + key.namespace() + "/" + kind.resources().get(0).plural() + "/" + key.name();
        try {
            HttpResponse<String> response = HttpClient.newHttpClient()
                    .send(
                            HttpRequest.newBuilder(URI.create(url + group + path))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString());
            JsonObject object = JsonParser.parseString(response.body()).getAsJsonObject();
            return new SharedRecord(
                    kind,
                    kind == DirectLock.LEASES
                            ? object.get("spec").toString()
                            : object.getAsJsonObject("metadata")
                                    .getAsJsonObject("annotations")
                                    .get(ANNOTATION)
                                    .getAsString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while reading " + key, e);
        }
    }

    private JsonObject json() {
        return JsonParser.parseString(text).getAsJsonObject();
    }

    /** Who holds it; empty when nobody does. */
    String holder() {
        JsonElement holder = json().get("holderIdentity");
        return holder == null || holder.isJsonNull() ? "" : holder.getAsString();
    }

    int transitions() {
        return json().get(kind == DirectLock.LEASES ? "leaseTransitions" : "leaderTransitions")
                .getAsInt();
    }

    /** The names of its fields. */
    Set<String> fields() {
        return new TreeSet<>(json().keySet());
    }
}
