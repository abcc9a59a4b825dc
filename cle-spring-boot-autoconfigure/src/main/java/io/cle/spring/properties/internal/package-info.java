/**
 * Resolves the {@code cle.*} properties. Comes in: what was written, and what is known of the process without it. Goes out: the
 * settings of each lease, or the first property that can't be used, found before anything starts. Does no I/O; asks for the
 * cluster's namespace only if none is configured.
 */
@NullMarked
package io.cle.spring.properties.internal;

import org.jspecify.annotations.NullMarked;
