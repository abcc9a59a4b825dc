package io.cle.spring.kubernetes.internal;

import io.cle.ApiFormat;
import org.jspecify.annotations.Nullable;

/**
 * In which wire format the candidates of a lease stand.
 *
 * @param format the format; {@code null} while the API server hasn't said what it serves
 * @param reason for a person: why it is this one, or why it isn't known
 */
public record ChosenFormat(@Nullable ApiFormat format, String reason) {}
