/**
 * Support for tests of applications: {@link io.cle.spring.test.AutoConfigureLeadership} for leadership that the test itself grants and
 * revokes, {@link io.cle.spring.test.AutoConfigureEmbeddedCluster} and {@link io.cle.spring.test.EmbeddedCluster} for real elections within
 * the test's process. Not for use in an application's main code.
 */
@NullMarked
package io.cle.spring.test;

import org.jspecify.annotations.NullMarked;
