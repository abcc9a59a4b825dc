package io.cle.coordinator.informer;

import java.time.Duration;

/** Is told how the observation of one kind of objects goes. Called on the informer's threads; must not block. */
interface SourceListener {

    /** A list was answered and is on its way. */
    void answered();

    /** The API server doesn't serve the kind, and needn't: it is as if there were no objects of it, until it does. */
    void absent(String message);

    /** All objects of a list were delivered. */
    void synced();

    /** A watch is open, or was until now. */
    void watching();

    /** The API server can't be reached, or refuses; it will be tried again. */
    void interrupted(String message, Duration retryIn);
}
