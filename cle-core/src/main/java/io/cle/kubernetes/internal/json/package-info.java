/**
 * Strict JSON, and times in it.
 *
 * <p>In: text, or JSON objects. Out: JSON objects and their fields, or a
 * {@link io.cle.kubernetes.internal.json.MalformedObjectException} that names the field. Must not be here: HTTP, and what fields mean.
 */
@NullMarked
package io.cle.kubernetes.internal.json;

import org.jspecify.annotations.NullMarked;
