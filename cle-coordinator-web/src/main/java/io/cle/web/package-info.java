/**
 * The coordinator's page for browsers: the port to the coordinator ({@link io.cle.web.CoordinatorSnapshots}), which the coordinator's
 * endpoint and gauges also use, the controller, and the updates of open pages. Read-only. The content of the pages is computed in
 * {@code view}.
 */
@NullMarked
package io.cle.web;

import org.jspecify.annotations.NullMarked;
