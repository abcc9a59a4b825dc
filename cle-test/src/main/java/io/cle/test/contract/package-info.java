/** Tests that every election strategy inherits, and an extension that names them in failures. */
@NullMarked
package io.cle.test.contract;

import org.jspecify.annotations.NullMarked;
