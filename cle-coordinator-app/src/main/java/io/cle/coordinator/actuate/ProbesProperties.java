package io.cle.coordinator.actuate;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * The properties of the port for probes and metrics.
 *
 * @param port the TCP port, on all interfaces; 0 for any free one; {@code null} for no such port
 */
@ConfigurationProperties("cle.coordinator.probes")
public record ProbesProperties(@Nullable Integer port) {}
