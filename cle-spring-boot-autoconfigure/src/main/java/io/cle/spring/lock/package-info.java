/**
 * The locks of an application: their auto-configurations, where they are found ({@link io.cle.spring.lock.LeaseLocks}), how they
 * are made and how a listener gets hold of them before the first election. How they live with the application context is in
 * {@link io.cle.spring.lock.internal}.
 */
@NullMarked
package io.cle.spring.lock;

import org.jspecify.annotations.NullMarked;
