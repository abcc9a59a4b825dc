/**
 * The coordinator's page for a browser: a port to the coordinator ({@link io.cle.web.CoordinatorSnapshots}), the controller, and what
 * keeps an open page up to date. The coordinator's endpoint and gauges read through the same port. Read-only. What is shown is decided
 * in {@code view}.
 */
@NullMarked
package io.cle.web;

import org.jspecify.annotations.NullMarked;
