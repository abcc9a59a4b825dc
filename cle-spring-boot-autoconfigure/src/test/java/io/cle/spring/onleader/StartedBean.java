package io.cle.spring.onleader;

import org.springframework.context.SmartLifecycle;

/** A bean that runs from its start to its stop. */
public class StartedBean implements SmartLifecycle {

    private volatile boolean running;

    @Override
    public void start() {
        running = true;
    }

    @Override
    public void stop() {
        running = false;
    }

    @Override
    public boolean isRunning() {
        return running;
    }
}
