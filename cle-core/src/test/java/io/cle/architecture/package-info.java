/** Rules for this project's code, as tests. */
@NullMarked
package io.cle.architecture;

import org.jspecify.annotations.NullMarked;
