/**
 * The auto-configurations of what an operator sees: the endpoint, the health, the info and the meters, each with its condition and
 * its properties. What they make is in {@link io.cle.spring.actuate.internal}.
 */
@NullMarked
package io.cle.spring.actuate;

import org.jspecify.annotations.NullMarked;
