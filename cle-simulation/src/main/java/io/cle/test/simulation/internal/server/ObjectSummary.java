package io.cle.test.simulation.internal.server;

import java.util.Map;
import java.util.StringJoiner;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.cle.kubernetes.internal.transport.ApiRequest;
import io.cle.kubernetes.internal.transport.ApiResponse;
import io.cle.test.apiserver.store.Metadata;

/** Requests and objects in a few words, for histories. */
public final class ObjectSummary {

    private static final String RECORD = "control-plane.alpha.kubernetes.io/leader";

    private static final Map<String, String> SHORT = Map.of(
            "holderIdentity", "holder",
            "leaseDurationSeconds", "seconds",
            "acquireTime", "acquired",
            "renewTime", "renewed",
            "leaseTransitions", "transitions",
            "canLeadLease", "for",
            "recorded-strategy", "recorded");

    private ObjectSummary() {}

    /** {@code PATCH leases/orders v1012 holder=a}. */
    public static String of(ApiRequest request) {
        StringBuilder words = new StringBuilder(request.verb().name())
                .append(' ')
                .append(request.resource().plural());
        if (request.name() != null) {
            words.append('/').append(request.name());
        }
        if (request.body() != null) {
            words.append(' ').append(object(request.body()));
        } else if (request.query().containsKey("resourceVersion")) {
            words.append(" from v").append(request.query().get("resourceVersion"));
        }
        return words.toString();
    }

    /** The outcome of a request. */
    public static String of(ApiRequest request, ApiResponse response) {
        String what = request.verb() + " " + request.resource().plural() + ": ";
        if (!(response instanceof ApiResponse.Answered answered)) {
            return what + ((ApiResponse.Unanswered) response).message();
        }
        JsonElement message = answered.body().get("message");
        return what + answered.status() + " "
                + (answered.ok() ? object(answered.body()) : message == null ? "" : message.getAsString());
    }

    /** The fields of an object that matter here. */
    public static String object(JsonObject object) {
        StringJoiner words = new StringJoiner(" ");
        if (object.get("items") != null) {
            words.add(object.getAsJsonArray("items").size() + " items");
        }
        JsonObject metadata = Metadata.of(object);
        add(words, metadata, "name", "");
        add(words, metadata, "resourceVersion", "v");
        JsonObject annotations = Metadata.child(metadata, "annotations");
        JsonElement record = annotations.get(RECORD);
        if (record != null && record.isJsonPrimitive()) {
            words.add(record.getAsString());
        }
        for (String name : annotations.keySet()) {
            if (!name.equals(RECORD)) {
                add(words, annotations, name, label(name));
            }
        }
        JsonObject spec = Metadata.child(object, "spec");
        for (String name : spec.keySet()) {
            add(words, spec, name, label(name));
        }
        return words.toString();
    }

    private static void add(StringJoiner words, JsonObject parent, String name, String label) {
        JsonElement value = parent.get(name);
        if (value != null && value.isJsonPrimitive()) {
            words.add(label + shortened(value.getAsString()));
        }
    }

    private static String label(String name) {
        String plain = name.substring(name.indexOf('/') + 1);
        return SHORT.getOrDefault(plain, plain) + "=";
    }

    /** A time without its date, because a simulation lasts for minutes. */
    private static String shortened(String value) {
        boolean time = value.length() >= 20 && value.charAt(10) == 'T' && value.endsWith("Z");
        return time ? value.substring(11, value.length() - 1) : value;
    }
}
