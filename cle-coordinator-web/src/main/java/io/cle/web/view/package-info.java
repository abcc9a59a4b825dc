/**
 * The content of the pages, computed by pure functions. In: the coordinator's snapshot, the query and the time. Out: rows, sentences and
 * command lines, ready for a template that only escapes and arranges them. Must not be here: clocks, I/O and Spring.
 *
 * <p>Names, strategies and reasons are untrusted text. They are formatted by {@link io.cle.web.view.DisplayFormat} and escaped by the
 * template; command lines contain only names that are safe in a shell ({@link io.cle.web.view.Commands}).
 */
@NullMarked
package io.cle.web.view;

import org.jspecify.annotations.NullMarked;
