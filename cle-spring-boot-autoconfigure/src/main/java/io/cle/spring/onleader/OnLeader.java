package io.cle.spring.onleader;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import io.cle.Shard;
import io.cle.Term;
import org.springframework.aot.hint.annotation.Reflective;
import org.springframework.core.annotation.AliasFor;

/**
 * Runs a method, or a bean, only on the leader.
 *
 * <ul>
 *   <li>A <b>method without another trigger</b> runs whenever leadership is granted, on a thread of its own that is
 *       interrupted when leadership is revoked. Calls by other beans are refused. It may have parameters of type
 *       {@link Term} and, for a lease with shards, of type {@link Shard}. If it returns a future, its work lasts until
 *       that is complete, and is cancelled when leadership is revoked. If it fails while its term lasts, it runs again
 *       in the same term, after a delay that doubles from {@code cle.on-leader.retry-delay} to
 *       {@code cle.on-leader.max-retry-delay}.
 *   <li>A <b>{@code @Scheduled}, {@code @EventListener} or {@code @Async} method</b> (including
 *       {@code @TransactionalEventListener}, and your own annotations that have these) is guarded: if this process
 *       doesn't lead, the method isn't run. The guard is a proxy, outside of the transaction's and inside of
 *       {@code @Async}'s; a call from within the bean itself bypasses it. A run in progress when the term ends is
 *       interrupted if the method is {@code @Scheduled} or {@code @Async}; a mere {@code @EventListener} runs on its
 *       publisher's thread, and is waited for. {@link Term#current()} is its term.
 *   <li>A <b>{@code Lifecycle} bean</b>, annotated at its class or its {@code @Bean} method, is started when leadership is granted and
 *       stopped when it is revoked; the context doesn't start it.
 *   <li>At the class or {@code @Bean} method of <b>any other bean</b> it guards all of its triggered methods.
 *   <li>A method that <b>requests, message listener containers or {@code @PostConstruct} and {@code @PreDestroy}</b> call can't be
 *       guarded: the application doesn't start, and the failure analysis says what to do instead.
 *   <li>A bean that isn't a <b>singleton</b>, such as one in {@code @RefreshScope}, may have guards only. Work and {@code Lifecycle} beans
 *       need one instance that lasts.
 * </ul>
 *
 * <p>If the lease has shards ({@code cle.leases.<name>.shards}), a method without another trigger runs once for each
 * shard that this process leads, at the same time and each in a term of its own. A guarded method runs once for each of
 * them, one after the other, with {@link Shard#current()}, even if one of the runs fails; it must return nothing. A
 * {@code Lifecycle} bean can't have a lease with shards.
 *
 * <p>Before a lease is handed over, the lock waits for the end of all led work, up to {@code cle.drain-timeout}
 * (safety.md#drain-before-release). Work that is still running after that is logged and counted ({@code cle.work.overlaps}). With
 * {@code cle.enabled=false} no process leads, and no led work runs.
 */
@Documented
@Inherited
@Reflective
@Target({ElementType.METHOD, ElementType.TYPE, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
public @interface OnLeader {

    /** The name of the lease: {@code @OnLeader("reports")} is {@code @OnLeader(lease = "reports")}. */
    @AliasFor("lease")
    String value() default "";

    /**
     * The name of the lease, as under {@code cle.leases}; placeholders and expressions ({@code ${...}}, {@code #{...}})
     * are resolved. If empty, the class's lease applies, or else the default lease.
     */
    @AliasFor("value")
    String lease() default "";

    /**
     * The name of a controller, resolved like {@link #lease()}. The lease is the one that the controller is assigned to
     * (KEP-2436), by default the default lease.
     */
    String controller() default "";

    /**
     * Whether the thread of the work is interrupted, and the future that it returned is cancelled, when the term ends.
     * If not, the lock only waits for the end of the work. {@code false} at the class applies to all of its methods.
     * The thread of a mere {@code @EventListener}, which is its publisher's, is never interrupted.
     */
    boolean interrupt() default true;
}
