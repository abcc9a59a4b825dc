/**
 * Leader migration (KEP-2436) in an application: where its configuration is read from, and the locks that it comes to. What it means
 * is for {@link io.cle.migration}.
 */
@NullMarked
package io.cle.spring.migration;

import org.jspecify.annotations.NullMarked;
