/**
 * Leader migration (KEP-2436): controllers move from one component to another under a lock that both share. What its configuration
 * says, what is wrong with it, and which controller runs under which lock.
 *
 * <p>Pure: reading the configuration's file is for the edge.
 */
@NullMarked
package io.cle.migration;

import org.jspecify.annotations.NullMarked;
