package io.cle.coordinator.settings;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * Where the cluster is.
 *
 * @param baseUrl the address of an API server without authentication, as on a laptop; client-java's usual configuration where it
 *     isn't set
 */
@ConfigurationProperties("cle.kubernetes")
public record KubernetesProperties(@Nullable String baseUrl) {}
