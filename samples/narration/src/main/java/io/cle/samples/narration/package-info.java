/**
 * Output of the samples' stories: one line per event, with the milliseconds since the start, and finally whether there
 * were violations.
 */
@NullMarked
package io.cle.samples.narration;

import org.jspecify.annotations.NullMarked;
