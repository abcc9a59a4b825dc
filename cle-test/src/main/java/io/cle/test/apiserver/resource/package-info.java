/**
 * The kinds of objects that the embedded API server has: what they are called, what it makes of their fields (names and labels, times, the schema of
 * a custom resource), how {@code kubectl get} shows them.
 */
@NullMarked
package io.cle.test.apiserver.resource;

import org.jspecify.annotations.NullMarked;
