/** A custom election strategy: a class, and its name in {@code META-INF/services}. */
@NullMarked
package io.cle.samples.strategy;

import org.jspecify.annotations.NullMarked;
