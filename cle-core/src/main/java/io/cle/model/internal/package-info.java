/**
 * What the starter and the coordinator share about their settings. Comes in: records and names. Goes out: which names are known. What must
 * not be here: where properties come from.
 */
@NullMarked
package io.cle.model.internal;

import org.jspecify.annotations.NullMarked;
