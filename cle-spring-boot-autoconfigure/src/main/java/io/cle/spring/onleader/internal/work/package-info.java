/**
 * Work that runs while this process leads. Comes in: the grants and revocations of the locks. Goes out: runs on threads of their own,
 * repeated as their failures ask for, and the promise that a lease isn't handed over before they have ended.
 */
@NullMarked
package io.cle.spring.onleader.internal.work;

import org.jspecify.annotations.NullMarked;
