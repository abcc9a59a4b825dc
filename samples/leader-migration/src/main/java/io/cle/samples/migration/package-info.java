/**
 * A leader migration: the jobs of one service move to another one, and back, while both run. {@code LeaderMigration} is the program,
 * {@code Story} is what happens, {@code Jobs} is what an application with the starter looks like, and {@code Board} checks, knowing
 * nothing of leases, that no job ever runs in two places.
 */
@NullMarked
package io.cle.samples.migration;

import org.jspecify.annotations.NullMarked;
