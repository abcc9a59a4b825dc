package io.cle.samples.recipes;

import java.util.concurrent.atomic.AtomicInteger;

import io.cle.CoordinatedLeaseLock;
import io.cle.spring.onleader.OnLeader;
import io.cle.spring.test.AutoConfigureLeadership;
import io.cle.spring.test.Leadership;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Import;
import org.springframework.context.event.EventListener;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/** A slice test, without the starter's auto-configurations, of a controller that uses the lock. */
@WebMvcTest
@AutoConfigureLeadership
class WebSliceTests {

    @Autowired
    private MockMvcTester mvc;

    @Autowired
    private Leadership leadership;

    @Autowired
    private ApplicationEventPublisher events;

    @Autowired
    private Orders orders;

    @Test
    void aControllerAsksTheLockThatTheTestGrants() {
        assertThat(mvc.get().uri("/leads")).hasStatusOk().bodyText().isEqualTo("false");

        leadership.grant();

        assertThat(mvc.get().uri("/leads")).hasStatusOk().bodyText().isEqualTo("true");
    }

    @Test
    void aGuardedMethodRunsOnlyWhileTheTestGrantsLeadership() {
        events.publishEvent("order");
        assertThat(orders.handled()).isZero();

        leadership.grant();

        events.publishEvent("order");
        assertThat(orders.handled()).isEqualTo(1);
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @Import(Orders.class)
    static class Application {}

    @RestController
    static class Orders {
        private final CoordinatedLeaseLock lock;
        private final AtomicInteger handled = new AtomicInteger();

        Orders(CoordinatedLeaseLock lock) {
            this.lock = lock;
        }

        @GetMapping(path = "/leads", produces = "text/plain")
        public String leads() {
            return String.valueOf(lock.isLeader());
        }

        @OnLeader
        @EventListener
        public void handle(String order) {
            handled.incrementAndGet();
        }

        public int handled() {
            return handled.get();
        }
    }
}
