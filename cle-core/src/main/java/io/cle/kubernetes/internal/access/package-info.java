/**
 * The rights that a process needs, and the check whether they are granted.
 *
 * <p>In: a wire format or kind of lock, and namespaces. Out: rights, and a report of those that are missing with the rules of a role that
 * grants them. Must not be here: the reaction to missing rights.
 */
@NullMarked
package io.cle.kubernetes.internal.access;

import org.jspecify.annotations.NullMarked;
