/**
 * What the starter and the coordinator share about their properties. Comes in: records. Goes out: which names are known. What must not be
 * here: where properties come from.
 */
@NullMarked
package io.cle.properties.internal;

import org.jspecify.annotations.NullMarked;
