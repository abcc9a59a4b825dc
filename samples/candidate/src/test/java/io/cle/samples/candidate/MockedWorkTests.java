package io.cle.samples.candidate;

import io.cle.spring.onleader.OnLeader;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.event.EventListener;
import org.springframework.test.context.bean.override.mockito.MockitoBean;

import static org.mockito.Mockito.verify;

/** A test that replaces led work with an object, to which no guard is applied. */
@SpringBootTest
class MockedWorkTests {

    @MockitoBean
    private Orders orders;

    @Autowired
    private ApplicationEventPublisher events;

    @Test
    void theMockIsCalledWithoutAGuard() {
        events.publishEvent("order");

        verify(orders).handle("order");
    }

    @TestConfiguration(proxyBeanMethods = false)
    static class Guarded {

        @Bean
        Orders orders() {
            return new Orders();
        }
    }

    static class Orders {

        @OnLeader
        @EventListener
        public void handle(String order) {
            throw new IllegalStateException("the led work was not replaced");
        }
    }
}
