/** What every election strategy has to do, as tests to inherit; and what names an inherited test in its failure. */
@NullMarked
package io.cle.test.contract;

import org.jspecify.annotations.NullMarked;
