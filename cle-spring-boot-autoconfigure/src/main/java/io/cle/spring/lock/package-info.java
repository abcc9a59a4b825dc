/**
 * The locks of an application: {@link io.cle.spring.lock.LeaseLocks} finds them, and a
 * {@link io.cle.spring.lock.LeaseLockCustomizer} adds listeners before the first election. Their lifecycle within the
 * application context is in {@code io.cle.spring.lock.internal}.
 */
@NullMarked
package io.cle.spring.lock;

import org.jspecify.annotations.NullMarked;
