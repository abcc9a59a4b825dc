/** What runs a leader migration: a lock within another one. */
@NullMarked
package io.cle.migration.internal;

import org.jspecify.annotations.NullMarked;
