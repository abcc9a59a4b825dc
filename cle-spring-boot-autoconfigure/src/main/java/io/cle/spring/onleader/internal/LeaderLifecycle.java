package io.cle.spring.onleader.internal;

import java.util.concurrent.CountDownLatch;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.Lifecycle;
import org.springframework.context.SmartLifecycle;

/** Starts a bean when a term begins and stops it when the term ends. Waits for the stop, even if it is asynchronous. */
final class LeaderLifecycle implements LeaderTask.Body {

    private static final Logger log = LoggerFactory.getLogger(LeaderLifecycle.class);

    private final ConfigurableListableBeanFactory beans;
    private final String bean;
    /** Whether a run of led work has the bean started; guarded by this. */
    private boolean led;

    LeaderLifecycle(ConfigurableListableBeanFactory beans, String bean) {
        this.beans = beans;
        this.bean = bean;
    }

    @Override
    public void run(LeaderRun run) throws InterruptedException {
        Lifecycle lifecycle = lifecycle();
        led(true);
        try {
            lifecycle.start();
            while (!run.awaitStop()) {
                // An interrupt that isn't for this run, such as one that the start has left, is no reason to stop the
                // bean: this process would lead without it.
                Thread.interrupted();
            }
            log.debug(
                    "Lease {}: stopping bean '{}', because the term with fencing token {} has ended",
                    run.term().lease(),
                    bean,
                    run.term().fencingToken());
        } finally {
            try {
                stop(lifecycle);
            } finally {
                led(false);
            }
        }
    }

    private synchronized void led(boolean now) {
        led = now;
    }

    /**
     * Stops the bean if its context has started it outside of a term. A context that was stopped and is started again, also after a
     * checkpoint, starts each {@code Lifecycle} that it has, whatever {@code isAutoStartup()} says; a guard keeps it from that, except
     * where {@code start()} is final or the bean is a factory.
     */
    synchronized void stopUnlessLed() {
        if (led || !beans.containsSingleton(bean)) {
            return;
        }
        Lifecycle lifecycle = lifecycle();
        if (lifecycle.isRunning()) {
            log.warn("Bean '{}' was started with its context, although this process doesn't lead; it is stopped", bean);
            try {
                stop(lifecycle);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Returns the bean, or the factory that made it. */
    private Lifecycle lifecycle() {
        return beans.getBean(bean) instanceof Lifecycle lifecycle
                ? lifecycle
                : beans.getBean(BeanFactory.FACTORY_BEAN_PREFIX + bean, Lifecycle.class);
    }

    private static void stop(Lifecycle lifecycle) throws InterruptedException {
        // The interrupt was meant for the start or the wait. If the flag were still set, the stop itself would be
        // interrupted.
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
