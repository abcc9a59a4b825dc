package io.cle.spring.onleader.internal;

import java.util.concurrent.CountDownLatch;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.context.Lifecycle;
import org.springframework.context.SmartLifecycle;

/** Starts a bean when a term begins and stops it when the term ends. Waits for the stop, even if it is asynchronous. */
record LeaderLifecycle(BeanFactory beans, String bean) implements LeaderTask.Body {

    private static final Logger log = LoggerFactory.getLogger(LeaderLifecycle.class);

    @Override
    public void run(LeaderRun run) throws InterruptedException {
        Lifecycle lifecycle = beans.getBean(bean, Lifecycle.class);
        try {
            lifecycle.start();
            while (!run.awaitStop()) {
                // Ignores an interrupt that isn't for this run, such as one left by the start. If it stopped the bean,
                // this process would lead without it.
                Thread.interrupted();
            }
            log.debug(
                    "Lease {}: stopping bean '{}', because the term with fencing token {} has ended",
                    run.term().lease(),
                    bean,
                    run.term().fencingToken());
        } finally {
            stop(lifecycle);
        }
    }

    private static void stop(Lifecycle lifecycle) throws InterruptedException {
        // Clears the interrupt, which was meant for the start or the wait and would interrupt the stop.
        boolean interrupted = Thread.interrupted();
        if (lifecycle.isRunning()) {
            if (lifecycle instanceof SmartLifecycle smart) {
                CountDownLatch stopped = new CountDownLatch(1);
                smart.stop(stopped::countDown);
                stopped.await();
            } else {
                lifecycle.stop();
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
