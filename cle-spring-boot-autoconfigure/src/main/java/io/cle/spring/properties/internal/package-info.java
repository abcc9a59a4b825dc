/**
 * Resolves the {@code cle.*} properties. Comes in: the configured values, and facts about the process. Goes out: the
 * settings of each lease, or the first property that can't be used, found before anything starts. Does no I/O; looks up
 * the cluster's namespace only if none is configured.
 */
@NullMarked
package io.cle.spring.properties.internal;

import org.jspecify.annotations.NullMarked;
