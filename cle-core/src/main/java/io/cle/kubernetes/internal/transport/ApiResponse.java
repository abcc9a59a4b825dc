package io.cle.kubernetes.internal.transport;

import java.time.Duration;

import com.google.gson.JsonObject;
import org.jspecify.annotations.Nullable;

/** What came of a request to an API server. */
public sealed interface ApiResponse {

    /**
     * The server has answered.
     *
     * @param status the HTTP status
     * @param body the JSON of the answer; where one that isn't 2xx came without JSON, an object whose {@code message} has the text
     * @param retryAfter how long the server asks to wait; {@code null} when it doesn't say
     */
    record Answered(int status, JsonObject body, @Nullable Duration retryAfter) implements ApiResponse {

        /** Whether it succeeded. */
        public boolean ok() {
            return status >= 200 && status < 300;
        }
    }

    /** There was no answer that can be understood: a time-out, a broken connection, half an object. */
    record Unanswered(String message) implements ApiResponse {}
}
