/**
 * The auto-configurations of the starter: which beans there are, and on which conditions. What the beans do is in the packages of the
 * features, {@code io.cle.spring.*.internal}.
 */
@NullMarked
package io.cle.spring.autoconfigure;

import org.jspecify.annotations.NullMarked;
