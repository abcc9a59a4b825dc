/**
 * How the samples tell their stories: one line for each thing that happens, with the milliseconds since the beginning, and in the
 * end whether what must never happen did.
 */
@NullMarked
package io.cle.samples.narration;

import org.jspecify.annotations.NullMarked;
