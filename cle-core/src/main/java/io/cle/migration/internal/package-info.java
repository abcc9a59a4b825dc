/** The nested lock that a leader migration runs under. */
@NullMarked
package io.cle.migration.internal;

import org.jspecify.annotations.NullMarked;
