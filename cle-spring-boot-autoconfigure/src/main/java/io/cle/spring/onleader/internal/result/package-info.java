/**
 * What led methods return, if their work goes on after they have returned: futures, publishers, Kotlin's {@code suspend} functions.
 * Comes in: a method or what it has returned. Goes out: a future of the rest of its work. Knows neither leases nor terms.
 */
@NullMarked
package io.cle.spring.onleader.internal.result;

import org.jspecify.annotations.NullMarked;
