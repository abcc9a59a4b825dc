package io.cle.spring;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;

import io.cle.loop.internal.Clock;
import io.cle.loop.internal.EventLoop;

/** Runs tasks at once, and timers when the test advances them. */
public class ManualLoop implements EventLoop {

    private final Queue<Runnable> due = new ArrayDeque<>();
    private final List<Duration> delays = new ArrayList<>();

    /** Fires the first timer, if any. */
    public void pass() {
        Optional.ofNullable(due.poll()).ifPresent(Runnable::run);
    }

    /** Returns whether a timer is set. */
    public boolean hasTimer() {
        return !due.isEmpty();
    }

    /** Returns the delays of all timers so far. */
    public List<Duration> delays() {
        return delays;
    }

    @Override
    public Clock clock() {
        return Clock.system();
    }

    @Override
    public void execute(Runnable task) {
        task.run();
    }

    @Override
    public Timer schedule(Duration delay, Runnable task) {
        delays.add(delay);
        due.add(task);
        return () -> due.remove(task);
    }
}
