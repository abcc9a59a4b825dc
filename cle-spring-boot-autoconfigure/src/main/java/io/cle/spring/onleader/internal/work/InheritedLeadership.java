package io.cle.spring.onleader.internal.work;

import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.cle.spring.onleader.internal.bean.OnLeaderBeans;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.context.SmartLifecycle;

/**
 * The led work of a context as the context is started and stopped: stops beans that were started with it outside of a term. If its locks
 * are its parent's, its work begins when the context is refreshed, also in a term that is running, and ends before its beans are stopped,
 * while the parent may go on leading. The work of a context with locks of its own follows their lifecycle.
 */
public final class InheritedLeadership implements SmartLifecycle {

    private static final Logger log = LoggerFactory.getLogger(InheritedLeadership.class);

    private final LeaderWork work;
    private final OnLeaderBeans beans;
    private boolean running;

    /**
     * Made for every context.
     *
     * @param work of this context
     * @param beans says whose the locks are
     */
    public InheritedLeadership(LeaderWork work, OnLeaderBeans beans) {
        this.work = work;
        this.beans = beans;
    }

    @Override
    public synchronized void start() {
        if (running) {
            return;
        }
        running = true;
        work.stopWhatIsNotLed();
        LeaderWork parent = parent();
        if (parent != null) {
            work.attachTo(parent);
        }
    }

    /** The work by whose locks this context's is led; {@code null} if it has locks of its own. */
    private @Nullable LeaderWork parent() {
        BeanFactory parent = beans.factory().getParentBeanFactory();
        return parent != null && beans.locksAreInherited()
                ? parent.getBeanProvider(LeaderWork.class).getIfAvailable()
                : null;
    }

    @Override
    public synchronized void stop() {
        boolean started = running;
        running = false;
        LeaderWork parent = parent();
        if (!started || parent == null) {
            return;
        }
        Duration patience = work.longestDrain();
        try {
            work.detachFrom(parent).get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            log.warn("interrupted while waiting for the end of the led work of a context that closes");
        } catch (TimeoutException e) {
            log.warn("the led work of a context that closes has not ended within {}; going on without it", patience);
        } catch (ExecutionException e) {
            throw new IllegalStateException("the end of a run doesn't fail, whatever the work does", e.getCause());
        }
    }

    @Override
    public synchronized boolean isRunning() {
        return running;
    }

    /** The highest: stops before everything else in its context, and starts last. */
    @Override
    public int getPhase() {
        return Integer.MAX_VALUE;
    }
}
