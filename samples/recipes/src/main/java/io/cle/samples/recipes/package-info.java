/** Led work with other libraries. Each class can be copied into an application. */
@NullMarked
package io.cle.samples.recipes;

import org.jspecify.annotations.NullMarked;
