/**
 * Leader migration (KEP-2436) in an application. Comes in: its configuration, from a file or properties. Goes out: its lease, nested in the
 * default one, and which controllers run here. {@link io.cle.migration} interprets the configuration.
 */
@NullMarked
package io.cle.spring.migration.internal;

import org.jspecify.annotations.NullMarked;
