/** An application on the elector of client-java. */
@NullMarked
package io.cle.evidence.peers.clientjava;

import org.jspecify.annotations.NullMarked;
