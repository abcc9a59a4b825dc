package io.cle.test.apiserver.memory;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;

/** The API server's response to a request: an answer, or a watch to start. */
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

        /** Returns the body as an object, which most are. */
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
