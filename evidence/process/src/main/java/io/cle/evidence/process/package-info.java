/**
 * What the programs of {@code evidence} share: candidates as processes that print what happens to them ({@link io.cle.evidence.process.Contender}),
 * a proxy that cuts a process off, what an API server has counted, and series of figures. Nothing in here decides what is measured.
 */
@NullMarked
package io.cle.evidence.process;

import org.jspecify.annotations.NullMarked;
