/**
 * The {@code cle.*} properties: what can be set, what follows from it for each lease, and everything that can be wrong with it,
 * found before anything starts.
 */
@NullMarked
package io.cle.spring.properties;

import org.jspecify.annotations.NullMarked;
