/** An application on Spring Integration's LockRegistryLeaderInitiator, with PostgreSQL. */
@NullMarked
package io.cle.evidence.peers.springintegration;

import org.jspecify.annotations.NullMarked;
