package io.cle.kubernetes;

import java.io.Serial;

import org.jspecify.annotations.Nullable;

/** Thrown if there is no configuration of a cluster, or if it can't be used. The message says what was tried. */
public final class NoClusterConfigurationException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1L;

    NoClusterConfigurationException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
