package io.cle.spring.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.boot.test.context.PropertyMapping;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.TestPropertySource;

/**
 * Connects a test's application to an {@link EmbeddedCluster} of its own, which can be injected and runs as long as the context. Elections
 * are real and fast: this annotation's attributes set the timings and take precedence over the application's. {@code cle.mode=kubernetes}
 * is also set, in case the application's other tests run with another mode.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@Import(EmbeddedClusterTestConfiguration.class)
@PropertyMapping("cle")
@TestPropertySource(properties = "cle.mode=kubernetes")
public @interface AutoConfigureEmbeddedCluster {

    /** {@code cle.lease-duration}; whole seconds. */
    String leaseDuration() default "2s";

    /** {@code cle.renew-deadline}; below the lease duration. */
    String renewDeadline() default "1500ms";

    /** {@code cle.retry-period}. */
    String retryPeriod() default "100ms";

    /** {@code cle.drain-timeout}. */
    String drainTimeout() default "5s";
}
