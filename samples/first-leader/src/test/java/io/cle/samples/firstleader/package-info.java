/** What a stranger does with this project, from clone to a running cluster, done by the build. */
package io.cle.samples.firstleader;
