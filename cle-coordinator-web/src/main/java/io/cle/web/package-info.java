/**
 * The coordinator's page for a browser: a port to the coordinator ({@link io.cle.web.CoordinatorSnapshots}), by which the coordinator's
 * endpoint and gauges read, too, the controller, and what keeps an open page up to date. Read-only. What is shown is decided in
 * {@code view}.
 */
@NullMarked
package io.cle.web;

import org.jspecify.annotations.NullMarked;
