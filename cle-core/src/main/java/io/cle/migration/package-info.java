/**
 * Leader migration (KEP-2436): controllers move from one component to another under a lock that both share. Contains its configuration, the
 * validation of it, and the assignment of controllers to locks.
 *
 * <p>Pure: the configuration file is read elsewhere.
 */
@NullMarked
package io.cle.migration;

import org.jspecify.annotations.NullMarked;
