package io.cle.kubernetes;

import java.io.Serial;

import org.jspecify.annotations.Nullable;

/** It isn't known where the API server is: nothing says so, or what does can't be read. The message says what was tried. */
public final class NoClusterConfigurationException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1L;

    NoClusterConfigurationException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
