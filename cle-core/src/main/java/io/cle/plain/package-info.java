/**
 * Leader election without Spring: {@link io.cle.plain.LeaderElection} makes a process a candidate for one lease, with threads and
 * connections of its own. Its parts are in packages named {@code internal}.
 */
@NullMarked
package io.cle.plain;

import org.jspecify.annotations.NullMarked;
