/** Tests of the coordinator as an application, against API servers. */
@NullMarked
package io.cle.coordinator;

import org.jspecify.annotations.NullMarked;
