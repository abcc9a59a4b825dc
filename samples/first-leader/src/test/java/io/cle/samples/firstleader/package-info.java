/** Tests of a new user's steps with this project, from a clone to a running cluster. */
package io.cle.samples.firstleader;
