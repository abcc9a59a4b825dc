/** Tests of what informers are fed with. */
@NullMarked
package io.cle.coordinator.informer;

import org.jspecify.annotations.NullMarked;
