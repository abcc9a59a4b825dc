/**
 * The {@code cle.*} properties as they can be written, and the settings of a lease that follow from them. How they are checked and
 * resolved is in {@link io.cle.spring.properties.internal}.
 */
@NullMarked
package io.cle.spring.properties;

import org.jspecify.annotations.NullMarked;
