/**
 * The demo: an API server, a coordinator and replicas of an application in one process, and a rolling upgrade with
 * possible interruptions. {@code RollingUpgrade} is the program, {@code Story} has the acts, {@code ReplicaApplication}
 * is an example of an application with the starter, and {@code OverlapWatch}, {@code Chronicle} and {@code Ledger}
 * check, each in its own way, that there never are two leaders.
 */
@NullMarked
package io.cle.samples.upgrade;

import org.jspecify.annotations.NullMarked;
