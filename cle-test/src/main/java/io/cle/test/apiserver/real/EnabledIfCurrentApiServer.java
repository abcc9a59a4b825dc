package io.cle.test.apiserver.real;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Runs tests only where the parts of a current kube-apiserver are that {@code .ci/current-apiserver} builds. The tests are skipped, and say so, when
 * {@code CLE_CURRENT_APISERVER} isn't set. Where {@code CLE_REQUIRE_CURRENT_APISERVER=true} is set, as in continuous integration, they fail instead.
 *
 * @see CurrentApiServer
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@ExtendWith(AssetsCondition.class)
public @interface EnabledIfCurrentApiServer {}
