package io.cle.spring.onleader;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Only the leader does this.
 *
 * <ul>
 *   <li>A <b>method without another trigger</b> runs whenever leadership is granted, on a thread of its own that is interrupted when
 *       it is revoked. It has no parameters, or a {@link io.cle.lock.Term}. One that fails is logged, published as a
 *       {@link io.cle.spring.event.LeaderWorkFailed} and not run again in the same term.
 *   <li>A <b>{@code @Scheduled} or {@code @EventListener} method</b> (also a {@code @TransactionalEventListener}, also
 *       {@code @Async}) is guarded: when this process doesn't lead, it isn't run. The guard is a proxy's, outside of the
 *       transaction's and inside of {@code @Async}'s: a call from within the bean itself passes it by.
 *   <li>A <b>{@code SmartLifecycle} bean</b>, annotated at its class or its {@code @Bean} method, is started when leadership is granted
 *       and stopped when it is revoked; the context doesn't start it.
 *   <li>At the class or {@code @Bean} method of <b>any other bean</b> it guards all of its triggered methods.
 * </ul>
 *
 * <p>Before a lease is handed over, the end of all this is waited for, up to {@code cle.drain-timeout} (lock's rule 4). With
 * {@code cle.enabled=false} nobody leads, and none of it runs.
 */
@Documented
@Inherited
@Target({ElementType.METHOD, ElementType.TYPE, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
public @interface OnLeader {

    /** The name of the lease, as under {@code cle.leases}; empty for the class's, or else for the default one. */
    String lease() default "";

    /** The name of a controller; the lease is the one that it is assigned to (KEP-2436), by default the default one. */
    String controller() default "";
}
