package io.cle.samples.recipes;

import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import io.cle.Term;
import io.cle.TermEndedException;
import io.cle.model.ObjectKey;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

class FencedProducerTests {

    record Created(String transactionalId, MockProducer<String, String> producer) {

        static Created of(String transactionalId) {
            return new Created(
                    transactionalId, new MockProducer<>(true, null, new StringSerializer(), new StringSerializer()));
        }

        List<String> committed() {
            return producer.history().stream().map(ProducerRecord::value).toList();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Application {

        private final BlockingQueue<Created> created = new LinkedBlockingQueue<>();
        private final BlockingQueue<String> orders = new LinkedBlockingQueue<>();

        @Bean
        FencedProducer relay() {
            return new FencedProducer(
                    id -> {
                        Created producer = Created.of(id);
                        created.add(producer);
                        return producer.producer();
                    },
                    orders);
        }
    }

    @Test
    void eachTermsProducerHasTheLeaseAsItsId_andAFencedOneCommitsNothing() throws InterruptedException {
        try (ConfigurableApplicationContext context =
                Standalone.run("cle.on-leader.retry-delay=10ms", Application.class)) {
            Application application = context.getBean(Application.class);
            Created first = application.created.poll(10, TimeUnit.SECONDS);
            application.orders.add("one");
            Awaitility.await().until(() -> first.committed().equals(List.of("one")));
            assertThat(first.transactionalId()).isEqualTo("default/recipes");

            first.producer().fenceProducer();
            application.orders.add("two");

            Created next = application.created.poll(10, TimeUnit.SECONDS);
            assertThat(next.transactionalId()).isEqualTo("default/recipes");
            assertThat(first.committed()).containsExactly("one");
        }
    }

    @Test
    void formerLeaderThatInitializesItsProducerLate_writesNothing() {
        Term ended = mock(Term.class);
        ObjectKey lease = new ObjectKey("shop", "orders");
        when(ended.lease()).thenReturn(lease);
        when(ended.isValid()).thenReturn(true);
        doThrow(new TermEndedException(lease, 1)).when(ended).check();
        Created late = Created.of("shop/orders");
        FencedProducer relay = new FencedProducer(id -> late.producer(), new LinkedBlockingQueue<>(List.of("one")));

        assertThatThrownBy(() -> relay.relay(ended)).isInstanceOf(TermEndedException.class);

        assertThat(late.producer().transactionInitialized()).isTrue();
        assertThat(late.committed()).isEmpty();
    }
}
