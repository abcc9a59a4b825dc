/** Tests of leader election for programs without Spring, on the embedded API server. */
package io.cle.test.programmatic;
