/**
 * The auto-configurations, one class per concern, and the analyses of starts that fail. Everything backs off where the application
 * has a bean of its own, and nothing here talks to an API server.
 */
@NullMarked
package io.cle.spring.boot;

import org.jspecify.annotations.NullMarked;
