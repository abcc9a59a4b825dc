/** Error responses: {@code Status} bodies with code, reason, details and causes, worded as in kube-apiserver. */
@NullMarked
package io.cle.test.apiserver.status;

import org.jspecify.annotations.NullMarked;
