/** Other electors beside ours on one record: what is written is read, who leads is respected, what is released is taken. */
@NullMarked
package io.cle.test.interop;

import org.jspecify.annotations.NullMarked;
