package io.cle.samples.candidate;

import java.util.concurrent.atomic.AtomicInteger;

import io.cle.CoordinatedLeaseLock;
import io.cle.Role;
import io.cle.spring.lock.LeaseLocks;
import io.cle.spring.onleader.OnLeader;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.event.EventListener;
import org.springframework.test.context.bean.override.mockito.MockitoBean;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.when;

/** A test in which a mock decides whether the process leads. No cluster is needed or contacted. */
@SpringBootTest
class MockedLockTests {

    @MockitoBean
    private CoordinatedLeaseLock lock;

    @Autowired
    private ApplicationEventPublisher events;

    @Autowired
    private Orders orders;

    @Autowired
    private LeaseLocks locks;

    @Autowired
    private ConfigurableApplicationContext context;

    @BeforeEach
    void forgetEarlierOrders() {
        orders.forget();
    }

    @Test
    void guardedMethodsRunIfTheMockLeads() {
        when(lock.isLeader()).thenReturn(true);

        events.publishEvent("order");

        assertThat(orders.handled()).isEqualTo(1);
    }

    @Test
    void noClusterIsLookedFor() {
        assertThat(context.getBeanFactory().containsSingleton("cleKubernetesAccess"))
                .isFalse();
        assertThat(locks.main().isLeader()).isFalse();
        assertThat(locks.main().snapshot().role()).isEqualTo(Role.STOPPED);
    }

    @Test
    void guardedMethodsAreSkippedIfTheMockDoesNotLead() {
        events.publishEvent("order");

        assertThat(orders.handled()).isZero();
    }

    @TestConfiguration(proxyBeanMethods = false)
    static class Guarded {

        @Bean
        Orders orders() {
            return new Orders();
        }
    }

    static class Orders {

        private final AtomicInteger handled = new AtomicInteger();

        public int handled() {
            return handled.get();
        }

        public void forget() {
            handled.set(0);
        }

        @OnLeader
        @EventListener
        public void handle(String order) {
            handled.incrementAndGet();
        }
    }
}
