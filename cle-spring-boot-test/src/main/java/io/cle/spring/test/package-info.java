/**
 * Support for an application's tests: {@link io.cle.spring.test.AutoConfigureLeadership} for leadership that the test itself grants and
 * revokes, {@link io.cle.spring.test.AutoConfigureEmbeddedCluster} and {@link io.cle.spring.test.EmbeddedCluster} for real elections within
 * the test's process. Nothing here is for an application's main code.
 */
@NullMarked
package io.cle.spring.test;

import org.jspecify.annotations.NullMarked;
