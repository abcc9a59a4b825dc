/**
 * Measures this project beside other Java electors: real processes, each with a proxy of its own, on one real API server. {@code Peers} is the
 * program; a {@code Contestant} is an application to be measured, {@code Arena} has the servers and starts its replicas, a {@code Scenario} attacks
 * them, and {@code Results}, {@code Led} and {@code Chart} are pure: what event lines and measurements come to.
 */
@NullMarked
package io.cle.evidence.peers.measure;

import org.jspecify.annotations.NullMarked;
