/** Stories told in text files: what happens, and what comes of it, for a person to read and a test to check. */
@NullMarked
package io.cle.transcript;

import org.jspecify.annotations.NullMarked;
