/**
 * What an API server remembers: objects under one ever growing resourceVersion, compare and swap, a history that can be
 * compacted, and watches on it.
 *
 * <p>Free of threads, HTTP and clocks: the wall clock and the source of uids are given, watches are called from inside the
 * write that they deliver. Objects are Gson trees and are shared: a reader must not change them.
 */
@NullMarked
package io.cle.test.apiserver.store;

import org.jspecify.annotations.NullMarked;
