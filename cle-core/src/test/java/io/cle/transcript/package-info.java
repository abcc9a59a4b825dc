/** Stories in text files: events and their outcomes, for people to read and tests to check. */
@NullMarked
package io.cle.transcript;

import org.jspecify.annotations.NullMarked;
