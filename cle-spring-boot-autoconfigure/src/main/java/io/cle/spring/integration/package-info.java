/**
 * The auto-configuration of Spring Integration's events of leadership.
 */
@NullMarked
package io.cle.spring.integration;

import org.jspecify.annotations.NullMarked;
