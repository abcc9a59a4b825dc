/** Spring Boot Admin with a view of an application's leases. */
@NullMarked
package io.cle.samples.admin;

import org.jspecify.annotations.NullMarked;
