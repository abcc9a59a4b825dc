package io.cle.samples.recipes;

import java.util.concurrent.BlockingQueue;
import java.util.function.Function;

import io.cle.Term;
import io.cle.spring.onleader.OnLeader;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Kafka: a producer whose {@code transactional.id} is the lease. When the leader initializes it, the broker fences the former leader's
 * producer, whose open transaction is aborted.
 */
public class FencedProducer {

    private final Function<String, Producer<String, String>> producers;
    private final BlockingQueue<String> orders;

    /**
     * Relays orders.
     *
     * @param producers creates a producer with the given {@code transactional.id}
     */
    public FencedProducer(Function<String, Producer<String, String>> producers, BlockingQueue<String> orders) {
        this.producers = producers;
        this.orders = orders;
    }

    @OnLeader
    public void relay(Term term) throws InterruptedException {
        try (Producer<String, String> producer = producers.apply(term.lease().toString())) {
            producer.initTransactions();
            // Checked afterwards: a former leader that was paused before initTransactions has now fenced its
            // successor's producer, and must not write.
            term.check();
            while (term.isValid()) {
                String order = orders.take();
                producer.beginTransaction();
                producer.send(new ProducerRecord<>("orders", order));
                producer.commitTransaction();
            }
        }
    }
}
