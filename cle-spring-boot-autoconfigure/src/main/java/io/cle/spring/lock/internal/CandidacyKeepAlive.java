package io.cle.spring.lock.internal;

import java.util.concurrent.CountDownLatch;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationContext;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * Keeps the JVM running while this process is a candidate, as Boot's {@code spring.main.keep-alive} does: all threads of an election
 * are daemons, so that an application without a web server would exit right after its start, before it can be elected. Ends when the
 * context begins to close, after the terms have ended.
 */
public final class CandidacyKeepAlive implements DisposableBean {

    private static final Logger log = LoggerFactory.getLogger(CandidacyKeepAlive.class);

    private final ApplicationContext context;
    private final boolean enabled;
    private @Nullable CountDownLatch running;

    /**
     * Keeps alive the application of a context.
     *
     * @param enabled {@code false} if the application decides by itself how long it runs
     */
    public CandidacyKeepAlive(ApplicationContext context, boolean enabled) {
        this.context = context;
        this.enabled = enabled;
    }

    @EventListener
    synchronized void onReady(ApplicationReadyEvent event) {
        if (!enabled) {
            log.info("this process is a candidate only for as long as the application's own threads keep it running,"
                    + " because cle.keep-alive or spring.main.keep-alive is false");
            return;
        }
        if (running == null && event.getApplicationContext() == context) {
            CountDownLatch end = new CountDownLatch(1);
            Thread thread = new Thread(() -> await(end), "cle-keep-alive");
            thread.setDaemon(false);
            thread.start();
            running = end;
        }
    }

    private static void await(CountDownLatch end) {
        try {
            end.await();
        } catch (InterruptedException e) {
            log.debug("the thread that keeps this process running was interrupted and ends");
        }
    }

    /** Runs after the listener that ends the terms and waits for that. */
    @EventListener
    @Order(Ordered.HIGHEST_PRECEDENCE + 1)
    void onClose(ContextClosedEvent event) {
        if (event.getApplicationContext() == context) {
            destroy();
        }
    }

    @Override
    public synchronized void destroy() {
        if (running != null) {
            running.countDown();
            running = null;
        }
    }
}
