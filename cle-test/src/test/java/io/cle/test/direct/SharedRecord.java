package io.cle.test.direct;

import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.cle.ResourceLock;
import io.cle.kubernetes.internal.transport.ResourceType;
import io.cle.model.ObjectKey;
import io.cle.test.apiserver.HttpApi;

/**
 * The record of an election as stored in the cluster.
 *
 * @param text the exact bytes of the annotation's value, or of a Lease's {@code spec}
 * @param annotations of the object with the record
 */
record SharedRecord(ResourceLock kind, String text, Map<String, String> annotations) {

    private static final String ANNOTATION = "control-plane.alpha.kubernetes.io/leader";
    private static final String HOLDER_KEY = "coordination.cle.io/holder-key";
    private static final String PREFERRED_HOLDER = "coordination.k8s.io/preferred-holder";

    /** client-go's form: the five fields in this order, without whitespace, times in UTC with whole seconds. */
    static final String CLIENT_GO_FORM =
            "\\{\"holderIdentity\":\"([^\"\\\\<>&]|\\\\.)*\",\"leaseDurationSeconds\":\\d+,"
                    + "\"acquireTime\":\"\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ\","
                    + "\"renewTime\":\"\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ\",\"leaderTransitions\":\\d+}";

    static SharedRecord read(HttpApi api, ResourceLock kind, ObjectKey key) {
        String group = kind == ResourceLock.LEASES ? "/apis/coordination.k8s.io/v1" : "/api/v1";
        String plural = ResourceType.of(kind).plural();
        HttpApi.Reply reply = api.get(group + "/namespaces/" + key.namespace() + "/" + plural + "/" + key.name());
        Map<String, String> annotations = new TreeMap<>();
        JsonObject annotated = reply.metadata().getAsJsonObject("annotations");
        if (annotated != null) {
            annotated.asMap().forEach((name, value) -> annotations.put(name, value.getAsString()));
        }
        String text = kind == ResourceLock.LEASES
                ? reply.json().get("spec").toString()
                : Objects.requireNonNull(annotations.get(ANNOTATION), "no record");
        return new SharedRecord(kind, text, annotations);
    }

    /** Returns the key that the holder has recorded; empty if there is none. */
    String holderKey() {
        if (kind == ResourceLock.LEASES) {
            return annotations.getOrDefault(HOLDER_KEY, "");
        }
        JsonElement key = json().get("holderKey");
        return key == null ? "" : key.getAsString();
    }

    /** Returns the candidate that has asked the holder to yield; empty if none has. */
    String askedBy() {
        return annotations.getOrDefault(PREFERRED_HOLDER, "");
    }

    private JsonObject json() {
        return JsonParser.parseString(text).getAsJsonObject();
    }

    /** Returns the holder; empty if there is none. */
    String holder() {
        JsonElement holder = json().get("holderIdentity");
        return holder == null || holder.isJsonNull() ? "" : holder.getAsString();
    }

    int transitions() {
        return json().get(kind == ResourceLock.LEASES ? "leaseTransitions" : "leaderTransitions")
                .getAsInt();
    }

    /** Returns the names of its fields. */
    Set<String> fields() {
        return new TreeSet<>(json().keySet());
    }
}
