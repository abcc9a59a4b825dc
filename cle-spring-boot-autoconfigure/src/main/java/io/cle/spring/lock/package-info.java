/**
 * The locks of an application: how they are made of its settings, where they are found, and how they live with the application
 * context. Leadership begins when the application is ready to work and has ended, drained and handed over, before any of its
 * beans is stopped.
 */
@NullMarked
package io.cle.spring.lock;

import org.jspecify.annotations.NullMarked;
