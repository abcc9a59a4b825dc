/**
 * The validation of property names that the starter and the coordinator share. Input: records. Output: which names are known. Must not be
 * here: the sources of properties.
 */
@NullMarked
package io.cle.properties.internal;

import org.jspecify.annotations.NullMarked;
