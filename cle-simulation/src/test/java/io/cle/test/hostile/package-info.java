/**
 * Hostile bytes: objects, streams and answers that no healthy API server sends, made from valid ones by a seed.
 *
 * <p>In: a seed. Out: nothing but decoded objects, reported malformed objects and documented exceptions. Must not be here: what
 * particular malformed objects are reported as, which the codecs' own tests say.
 */
package io.cle.test.hostile;
