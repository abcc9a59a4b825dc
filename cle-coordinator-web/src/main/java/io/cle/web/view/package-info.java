/**
 * Pure functions that compute the content of the page and its endpoint. In: the coordinator's snapshot and the time. Out: states, sentences
 * and JSON. Must not be here: clocks, I/O and Spring.
 *
 * <p>Names, strategies and reasons are untrusted text, which the page inserts as text only; its command lines contain only names that are
 * safe in a shell.
 */
@NullMarked
package io.cle.web.view;

import org.jspecify.annotations.NullMarked;
