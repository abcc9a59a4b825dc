/**
 * The events of leadership, published to the application context on the callback thread: granted and revoked in pairs and in order,
 * and who leads, on followers too.
 */
@NullMarked
package io.cle.spring.event;

import org.jspecify.annotations.NullMarked;
