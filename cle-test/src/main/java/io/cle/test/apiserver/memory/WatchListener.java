package io.cle.test.apiserver.memory;

import com.google.gson.JsonObject;

/** Receives what a watch delivers, on the thread of the request that causes it. Must not call the server back. */
public interface WatchListener {

    /**
     * One event.
     *
     * @param event {@code type} and {@code object}, as on the wire; shared with the server, not to be changed
     */
    void onEvent(JsonObject event);

    /** The watch is over, by the server's doing: nothing more comes. */
    void onEnd();
}
