/**
 * Tests of direct locks in real time on an API server: together with other electors on one record, with keys, during
 * the migration from one kind of lock to another, and with many candidates.
 */
@NullMarked
package io.cle.test.direct;

import org.jspecify.annotations.NullMarked;
