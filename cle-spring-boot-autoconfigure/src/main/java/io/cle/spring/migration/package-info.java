/**
 * Leader migration (KEP-2436) in an application: its properties, and the question by which led work finds the lease of its
 * controller.
 */
@NullMarked
package io.cle.spring.migration;

import org.jspecify.annotations.NullMarked;
