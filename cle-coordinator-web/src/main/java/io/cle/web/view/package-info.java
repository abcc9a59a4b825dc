/**
 * What the page shows, as pure functions: the coordinator's snapshot, the query and the time come in; rows, sentences and command lines
 * come out, ready for a template that only escapes and arranges them. No clock, no I/O and no Spring in here.
 *
 * <p>Names, strategies and reasons were written by strangers. They leave this package through {@link io.cle.web.view.DisplayFormat}, and are
 * escaped by the template; a command line takes only names that a shell can't misread ({@link io.cle.web.view.Commands}).
 */
@NullMarked
package io.cle.web.view;

import org.jspecify.annotations.NullMarked;
