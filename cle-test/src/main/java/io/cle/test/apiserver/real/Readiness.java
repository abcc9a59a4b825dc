package io.cle.test.apiserver.real;

import java.io.UncheckedIOException;
import java.time.Duration;

import com.google.gson.JsonObject;
import io.cle.test.apiserver.HttpApi;
import io.cle.test.apiserver.HttpApi.Reply;

/** Queries processes over HTTP. */
final class Readiness {

    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private Readiness() {}

    /** Whether a process answers with 200. */
    static boolean answers(HttpApi api, String path) {
        try {
            return api.within(TIMEOUT).get(path).code() == 200;
        } catch (UncheckedIOException e) {
            // It doesn't listen yet, or waits for others.
            return false;
        }
    }

    /** Returns the status of an etcd member: {@code leader} and {@code header.member_id} are decimal numbers. */
    static JsonObject status(HttpApi etcd) {
        return etcd.within(TIMEOUT)
                .post("/v3/maintenance/status", new JsonObject())
                .json();
    }

    /** Compacts etcd up to its current revision. */
    static void compact(HttpApi etcd) {
        // Any read returns the present revision; this one is of a key that does not exist.
        JsonObject anyKey = new JsonObject();
        anyKey.addProperty("key", "AA==");
        Reply read = etcd.within(TIMEOUT).post("/v3/kv/range", anyKey);
        JsonObject compaction = new JsonObject();
        compaction.addProperty("revision", read.at("header.revision"));
        compaction.addProperty("physical", true);
        Reply compacted = etcd.within(TIMEOUT).post("/v3/kv/compaction", compaction);
        // kube-apiserver may have compacted this revision already.
        if (compacted.code() != 200 && !compacted.text().contains("has been compacted")) {
            throw new IllegalStateException("etcd compaction failed: " + compacted.text());
        }
    }
}
