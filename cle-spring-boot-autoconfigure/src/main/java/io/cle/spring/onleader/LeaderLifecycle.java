package io.cle.spring.onleader;

import java.util.concurrent.CountDownLatch;

import io.cle.lock.Term;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.context.SmartLifecycle;

/** A bean that is started with a term and stopped with it. Its own stop is waited for, however asynchronous it is. */
record LeaderLifecycle(BeanFactory beans, String bean) implements LeaderTask {

    private static final Logger log = LoggerFactory.getLogger(LeaderLifecycle.class);

    @Override
    public String name() {
        return bean;
    }

    @Override
    public void run(Term term) throws InterruptedException {
        SmartLifecycle target = beans.getBean(bean, SmartLifecycle.class);
        try {
            target.start();
            new CountDownLatch(1).await();
        } catch (InterruptedException revoked) {
            log.debug("bean '{}' is stopped, as the term with fencing token {} is over", bean, term.fencingToken());
        } finally {
            stop(target);
        }
    }

    private static void stop(SmartLifecycle target) throws InterruptedException {
        // An interrupt was for the waiting above, or came while the bean was started; the stop is to be done in peace.
        boolean interrupted = Thread.interrupted();
        if (target.isRunning()) {
            CountDownLatch stopped = new CountDownLatch(1);
            target.stop(stopped::countDown);
            stopped.await();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
