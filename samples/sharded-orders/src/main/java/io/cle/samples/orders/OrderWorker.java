package io.cle.samples.orders;

import java.time.Duration;

import io.cle.Shard;
import io.cle.Term;
import io.cle.spring.onleader.OnLeader;
import org.springframework.stereotype.Component;

/** Works on the orders of the customers whose shards this replica leads. */
@Component
class OrderWorker {

    private static final Duration WORK = Duration.ofMillis(10);
    private static final Duration PAUSE = Duration.ofMillis(100);

    private final OrderStore store;

    OrderWorker(OrderStore store) {
        this.store = store;
    }

    /**
     * Runs once per shard that this replica leads, on separate threads. The thread is interrupted when the term ends;
     * the next leader of the shard begins only after this method has returned.
     */
    @OnLeader(lease = "orders")
    void work(Shard shard, Term term) throws InterruptedException {
        store.termBegins(shard, term);
        try {
            while (term.isValid()) {
                for (Order order : store.open(shard::owns)) {
                    process(order, term);
                }
                Thread.sleep(PAUSE.toMillis());
            }
        } finally {
            store.termEnds(shard, term);
        }
    }

    private void process(Order order, Term term) throws InterruptedException {
        if (!store.begin(order, term)) {
            return;
        }
        boolean done = false;
        try {
            Thread.sleep(WORK.toMillis());
            done = true;
        } finally {
            // An interrupted order is given back: the next leader does it.
            store.end(order, term, done);
        }
    }
}
