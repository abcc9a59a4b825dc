package io.cle.kubernetes.internal.transport;

import java.time.Duration;

import com.google.gson.JsonObject;
import org.jspecify.annotations.Nullable;

/** The outcome of a request to an API server. */
public sealed interface ApiResponse {

    /**
     * The server has answered.
     *
     * @param status the HTTP status
     * @param body the JSON of the answer; if an answer other than 2xx isn't JSON, an object whose {@code message} contains the text
     * @param retryAfter how long the server asks to wait; {@code null} if it doesn't ask
     */
    record Answered(int status, JsonObject body, @Nullable Duration retryAfter) implements ApiResponse {

        /** Returns whether the request succeeded. */
        public boolean ok() {
            return status >= 200 && status < 300;
        }
    }

    /** There was no complete answer: a timeout, a broken connection, or a malformed body. */
    record Unanswered(String message) implements ApiResponse {}
}
