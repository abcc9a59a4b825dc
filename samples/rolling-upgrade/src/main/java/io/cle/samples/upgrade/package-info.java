/**
 * The demo: an API server, a coordinator and replicas of an application in one process, and a rolling upgrade with everything that
 * can come in between. {@code RollingUpgrade} is the program, {@code Story} is what happens, {@code ReplicaApplication} is what an
 * application with the starter looks like, and {@code OverlapWatch}, {@code Chronicle} and {@code Ledger} check, each in its own
 * way, that there never are two leaders.
 */
@NullMarked
package io.cle.samples.upgrade;

import org.jspecify.annotations.NullMarked;
