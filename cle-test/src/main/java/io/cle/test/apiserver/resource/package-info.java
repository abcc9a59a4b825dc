/**
 * The kinds of objects of the embedded API server: their names, the validation of their fields (names and labels,
 * times, the schema of a custom resource) and their columns in {@code kubectl get}.
 */
@NullMarked
package io.cle.test.apiserver.resource;

import org.jspecify.annotations.NullMarked;
