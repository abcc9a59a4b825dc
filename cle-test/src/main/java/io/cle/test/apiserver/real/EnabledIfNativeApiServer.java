package io.cle.test.apiserver.real;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Marks tests that need a real API server with Kubernetes' own coordinated leader election. Without
 * {@code CLE_NATIVE_ASSETS}, they are skipped with a message.
 *
 * @see RealApiServer#sharedNative()
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@ExtendWith(AssetsCondition.class)
public @interface EnabledIfNativeApiServer {}
