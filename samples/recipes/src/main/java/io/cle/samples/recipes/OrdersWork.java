package io.cle.samples.recipes;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;

import io.cle.Term;
import io.cle.spring.onleader.OnLeader;
import org.springframework.context.event.EventListener;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.Scheduled;

/** The kinds of led work explained on the page <i>What @OnLeader does with your work</i>. */
public class OrdersWork {

    private final BlockingQueue<String> orders;
    private final Store store;

    /** A store of results that rejects a fencing token smaller than one it has seen. */
    public interface Store {

        /** Writes a result. */
        void write(String result, long fencingToken);

        /** Writes a result later. */
        CompletableFuture<Void> writeLater(String result, long fencingToken);
    }

    /** Led work on orders. */
    public OrdersWork(BlockingQueue<String> orders, Store store) {
        this.orders = orders;
        this.store = store;
    }

    /** Runs while this process leads. */
    @OnLeader
    public void bill(Term term) throws InterruptedException {
        while (term.isValid()) {
            String order = orders.take();
            store.write("invoice for " + order, term.fencingToken());
        }
    }

    /** Runs at each tick at which this process leads. */
    @OnLeader
    @Scheduled(fixedDelay = 60_000)
    public void tidyUp() {
        Term term = Term.current().orElseThrow();
        for (String order : orders) {
            term.check();
            store.write("reminder for " + order, term.fencingToken());
        }
    }

    /** Also guarded, on the executor's thread. */
    @Async
    @OnLeader
    @EventListener
    public void onOrder(String order) {
        store.write("receipt for " + order, Term.current().orElseThrow().fencingToken());
    }

    /** Lasts until the future is complete. */
    @OnLeader("${orders.report-lease:recipes}")
    public CompletableFuture<Void> report(Term term) {
        return store.writeLater("report", term.fencingToken());
    }
}
