/**
 * What an API server makes of an object's fields: names and labels, the schema of a custom resource, micro times.
 *
 * <p>Pure: reads and mends Gson trees.
 */
@NullMarked
package io.cle.test.apiserver.schema;

import org.jspecify.annotations.NullMarked;
