package io.cle.test.apiserver.memory;

import java.util.ArrayList;
import java.util.List;

import com.google.gson.JsonObject;
import io.cle.test.apiserver.status.ApiFailure;
import io.cle.test.apiserver.store.GroupResource;
import io.cle.test.apiserver.store.Metadata;
import org.jspecify.annotations.Nullable;

/** Allows every request that hasn't been denied. Not thread-safe. */
final class AccessRules {

    /** Every verb, resource or namespace. */
    static final String ANY = "*";

    private static final String USER = "kubernetes-admin";

    private final List<Denial> denials = new ArrayList<>();

    private record Denial(String verb, String resource, String namespace) {
        boolean covers(String askedVerb, GroupResource asked, @Nullable String askedNamespace) {
            return (verb.equals(ANY) || verb.equals(askedVerb))
                    && (resource.equals(ANY) || resource.equals(asked.resource()) || resource.equals(asked.toString()))
                    && (namespace.equals(ANY) || namespace.equals(askedNamespace));
        }
    }

    void deny(String verb, String resource, String namespace) {
        denials.add(new Denial(verb, resource, namespace));
    }

    void allowAll() {
        denials.clear();
    }

    private boolean allows(String verb, GroupResource resource, @Nullable String namespace) {
        return denials.stream().noneMatch(denial -> denial.covers(verb, resource, namespace));
    }

    /** Throws 403 with kube-apiserver's message if access is denied. */
    void check(String verb, GroupResource resource, @Nullable String namespace, @Nullable String name) {
        if (denials.isEmpty() || allows(verb, resource, namespace)) {
            return;
        }
        String what = name == null ? resource.toString() : resource + " \"" + name + "\"";
        throw ApiFailure.forbidden(
                resource.group(),
                resource.resource(),
                name,
                what + " is forbidden: User \"" + USER + "\" cannot " + verb + " resource \"" + resource.resource()
                        + "\" in API group \"" + resource.group() + "\" "
                        + (namespace == null ? "at the cluster scope" : "in the namespace \"" + namespace + "\""));
    }

    /** Answers a SelfSubjectAccessReview. */
    JsonObject review(JsonObject review) {
        JsonObject answer = review.deepCopy();
        boolean allowed = true;
        if (Metadata.at(review, "spec.resourceAttributes") instanceof JsonObject asked) {
            String namespace = Metadata.text(asked, "namespace");
            allowed = allows(
                    Metadata.text(asked, "verb"),
                    new GroupResource(Metadata.text(asked, "group"), Metadata.text(asked, "resource")),
                    namespace.isEmpty() ? null : namespace);
        }
        JsonObject status = new JsonObject();
        status.addProperty("allowed", allowed);
        if (!allowed) {
            status.addProperty("reason", "denied by the test");
        }
        answer.add("status", status);
        return answer;
    }
}
