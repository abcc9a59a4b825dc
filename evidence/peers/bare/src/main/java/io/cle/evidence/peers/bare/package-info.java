/** Spring Boot and nothing else: what a library adds is counted from here. */
@NullMarked
package io.cle.evidence.peers.bare;

import org.jspecify.annotations.NullMarked;
