package io.cle.test.apiserver.memory;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;

/** What the API server says to a request: an answer, or a watch that can be started. */
public sealed interface ServerResponse permits ServerResponse.Answer, ServerResponse.Text, WatchStream {

    /** The HTTP status code. */
    int code();

    /**
     * An answer in JSON.
     *
     * @param code the HTTP status code
     * @param body the body: an object, a list, or a {@code Status}; shared with the server, not to be changed
     */
    record Answer(int code, JsonElement body) implements ServerResponse {

        /** The body as an object; all but a few bodies are one. */
        public JsonObject object() {
            return body.getAsJsonObject();
        }
    }

    /**
     * An answer in plain text.
     *
     * @param code the HTTP status code
     * @param body the text
     */
    record Text(int code, String body) implements ServerResponse {}
}
