/**
 * The contract of an API server as leader election needs it, as tests over HTTP: passed by the embedded server and by real
 * ones, so that the one can be believed because of the other.
 */
@NullMarked
package io.cle.test.apiserver.contract;

import org.jspecify.annotations.NullMarked;
