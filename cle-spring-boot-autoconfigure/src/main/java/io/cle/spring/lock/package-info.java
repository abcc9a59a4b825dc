/**
 * The locks of an application: where they are found ({@link io.cle.spring.lock.LeaseLocks}), and how a listener gets hold of them before
 * the first election. How they live with the application context is in {@code io.cle.spring.lock.internal}.
 */
@NullMarked
package io.cle.spring.lock;

import org.jspecify.annotations.NullMarked;
