/**
 * The auto-configurations of the starter: the beans and their conditions. The beans' code is in the packages of the
 * features, {@code io.cle.spring.*.internal}.
 */
@NullMarked
package io.cle.spring.autoconfigure;

import org.jspecify.annotations.NullMarked;
