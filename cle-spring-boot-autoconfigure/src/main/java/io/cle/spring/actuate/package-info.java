/**
 * The auto-configuration of the endpoint, the health and the meters for operators, each with its conditions.
 * The beans' types are in {@link io.cle.spring.actuate.internal}.
 */
@NullMarked
package io.cle.spring.actuate;

import org.jspecify.annotations.NullMarked;
