package io.cle.spring.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import io.cle.spring.autoconfigure.CleAutoConfiguration;
import io.cle.spring.autoconfigure.CleEventsAutoConfiguration;
import io.cle.spring.autoconfigure.CleOnLeaderAutoConfiguration;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.context.annotation.Import;

/**
 * Provides a {@link Leadership} bean with which a test grants and revokes the leadership of each lease. There is no cluster and no
 * election: the application leads exactly while the test says so. Leadership that is still granted at the end of a test method is revoked,
 * so that a context can be shared between tests. In slice tests such as {@code @WebMvcTest}, this annotation also adds the beans of leader
 * election.
 *
 * <pre>{@code
 * @SpringBootTest
 * @AutoConfigureLeadership
 * class ReportsTests {
 *
 *     @Autowired Leadership leadership;
 *
 *     @Test
 *     void writesNoReportOnceRevoked() {
 *         leadership.grant();
 *         // ...
 *         leadership.revoke(RevokeReason.END_OF_TERM);
 *         leadership.awaitWorkEnded();
 *     }
 * }
 * }</pre>
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@Import(LeadershipTestConfiguration.class)
@ImportAutoConfiguration({
    CleAutoConfiguration.class,
    CleEventsAutoConfiguration.class,
    CleOnLeaderAutoConfiguration.class
})
public @interface AutoConfigureLeadership {}
