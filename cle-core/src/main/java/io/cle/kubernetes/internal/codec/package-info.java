/**
 * Conversion between JSON objects of the API and records of {@link io.cle.model}, with one codec per wire format.
 *
 * <p>In: a JSON object, or a record. Out: a record, or the JSON to create or patch an object with. Pure. Must not be here: requests,
 * clocks, and decisions about who leads.
 */
@NullMarked
package io.cle.kubernetes.internal.codec;

import org.jspecify.annotations.NullMarked;
