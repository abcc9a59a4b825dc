package io.cle.test.apiserver.memory;

import com.google.gson.JsonObject;

/** Receives a watch's events on the thread of the request that causes them. Must not call the server. */
public interface WatchListener {

    /**
     * One event.
     *
     * @param event {@code type} and {@code object}, as on the wire; shared with the server, not to be changed
     */
    void onEvent(JsonObject event);

    /** Called when the server has ended the watch. */
    void onEnd();
}
