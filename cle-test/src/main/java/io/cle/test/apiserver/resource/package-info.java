/**
 * The kinds of objects that the embedded API server has: what they are called, what it makes of their fields, how
 * {@code kubectl get} shows them.
 */
@NullMarked
package io.cle.test.apiserver.resource;

import org.jspecify.annotations.NullMarked;
