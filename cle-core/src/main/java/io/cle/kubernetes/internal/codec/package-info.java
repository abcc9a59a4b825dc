/**
 * JSON objects of the API to records of {@link io.cle.model} and back, one codec for each wire format.
 *
 * <p>In: a JSON object, or a record. Out: a record, or the JSON to create or patch an object with. Pure: must not be here are requests,
 * clocks, and decisions about who leads.
 */
@NullMarked
package io.cle.kubernetes.internal.codec;

import org.jspecify.annotations.NullMarked;
