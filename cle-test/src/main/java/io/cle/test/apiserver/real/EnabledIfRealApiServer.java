package io.cle.test.apiserver.real;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Tests that need a real API server: they are skipped, and say so, when {@code KUBEBUILDER_ASSETS} isn't set. Where
 * {@code CLE_REQUIRE_APISERVER=true} is set, as in continuous integration, they fail instead.
 *
 * @see RealApiServer#shared()
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@ExtendWith(AssetsCondition.class)
public @interface EnabledIfRealApiServer {}
