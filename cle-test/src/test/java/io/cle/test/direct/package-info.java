/**
 * Direct locks as their users have them, in real time on an API server: beside other electors on one record, by key, on the way
 * from one kind of lock to another, and many at once.
 */
@NullMarked
package io.cle.test.direct;

import org.jspecify.annotations.NullMarked;
