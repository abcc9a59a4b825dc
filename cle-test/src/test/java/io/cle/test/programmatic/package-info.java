/** Leader election as a program without Spring meets it, on the embedded API server. */
package io.cle.test.programmatic;
