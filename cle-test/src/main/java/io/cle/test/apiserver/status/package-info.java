/**
 * How an API server says no: {@code Status} bodies with code, reason, details and causes, worded as kube-apiserver words
 * them.
 */
@NullMarked
package io.cle.test.apiserver.status;

import org.jspecify.annotations.NullMarked;
