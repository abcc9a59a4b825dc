/** Patches: RFC 6902, RFC 7386 and Kubernetes' strategic merge. In come an object and a patch, which is applied to it; what may be stored is judged elsewhere. */
@NullMarked
package io.cle.test.apiserver.patch;

import org.jspecify.annotations.NullMarked;
