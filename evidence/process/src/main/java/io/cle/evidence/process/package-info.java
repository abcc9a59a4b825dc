/**
 * Shared by the programs of {@code evidence}: candidates as processes that print their events
 * ({@link io.cle.evidence.process.Contender}), a proxy that cuts a process off, an API server's request counts, and
 * series of figures. Nothing in here decides what is measured.
 */
@NullMarked
package io.cle.evidence.process;

import org.jspecify.annotations.NullMarked;
