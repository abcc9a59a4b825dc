/**
 * The storage of an API server: objects under one growing resourceVersion, compare and swap, a history that can be compacted, and watches on it.
 *
 * <p>Without threads, HTTP and clocks: the wall clock and the source of uids are passed in, and watches are called
 * inside the write that they deliver. Objects are Gson trees and are shared: a reader must not change them.
 */
@NullMarked
package io.cle.test.apiserver.store;

import org.jspecify.annotations.NullMarked;
