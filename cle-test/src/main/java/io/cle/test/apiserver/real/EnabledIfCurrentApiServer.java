package io.cle.test.apiserver.real;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Marks tests that need the parts of a current kube-apiserver that {@code .ci/current-apiserver} builds. Without
 * {@code CLE_CURRENT_APISERVER}, they are skipped with a message. With {@code CLE_REQUIRE_CURRENT_APISERVER=true}, as
 * in continuous integration, they fail instead.
 *
 * @see CurrentApiServer
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@ExtendWith(AssetsCondition.class)
public @interface EnabledIfCurrentApiServer {}
