/**
 * A leader migration: the jobs of one service move to another and back, while both run. {@code LeaderMigration} is the
 * program, {@code Story} has the steps, {@code Jobs} is an example of an application with the starter, and
 * {@code Board} checks, independently of leases, that no job ever runs in two places.
 */
@NullMarked
package io.cle.samples.migration;

import org.jspecify.annotations.NullMarked;
