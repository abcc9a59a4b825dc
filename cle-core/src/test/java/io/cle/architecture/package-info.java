/** The rules that the code of this project keeps, as tests. */
@NullMarked
package io.cle.architecture;

import org.jspecify.annotations.NullMarked;
