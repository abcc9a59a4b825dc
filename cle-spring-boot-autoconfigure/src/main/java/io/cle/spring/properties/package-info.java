/** The values of the {@code cle.*} properties. Binding and checking are in {@link io.cle.spring.properties.internal}. */
@NullMarked
package io.cle.spring.properties;

import org.jspecify.annotations.NullMarked;
