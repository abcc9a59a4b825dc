/** An application on the elector of fabric8's kubernetes-client. */
@NullMarked
package io.cle.evidence.peers.fabric8;

import org.jspecify.annotations.NullMarked;
