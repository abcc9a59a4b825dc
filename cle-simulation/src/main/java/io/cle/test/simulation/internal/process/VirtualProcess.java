package io.cle.test.simulation.internal.process;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;

import io.cle.loop.internal.Clock;
import io.cle.loop.internal.EventLoop;
import org.jspecify.annotations.Nullable;

/**
 * An operating system process: it has clocks, runs tasks, can be paused at any point, and can die. Tasks that arrive while it is
 * paused wait; tasks after its death are lost.
 */
public final class VirtualProcess {

    private final String name;
    private final VirtualTime time;
    private final DriftingClock clock;
    private final Observer observer;
    private final Deque<Runnable> backlog = new ArrayDeque<>();
    private boolean paused;
    private boolean dead;
    private int stepsToGo = -1;
    private @Nullable Runnable trap;

    /** Observes what a process does. */
    public interface Observer {
        /** A task of it has run. */
        void stepped(VirtualProcess process);

        /** A task of it has failed. */
        void failed(VirtualProcess process, RuntimeException failure);
    }

    /** A process that does nothing yet. */
    public VirtualProcess(String name, VirtualTime time, DriftingClock clock, Observer observer) {
        this.name = name;
        this.time = time;
        this.clock = clock;
        this.observer = observer;
    }

    /** Its name, which no other process of the simulation has. */
    public String name() {
        return name;
    }

    /** Its clocks. */
    public DriftingClock clock() {
        return clock;
    }

    /** Whether it has not died. */
    public boolean alive() {
        return !dead;
    }

    /** Whether it is paused. */
    public boolean paused() {
        return paused;
    }

    /** Runs a task of this process now, or when it isn't paused any more. */
    public void run(Runnable task) {
        if (dead) {
            return;
        }
        if (paused) {
            backlog.add(task);
            return;
        }
        step();
        if (dead) {
            return;
        }
        if (paused) {
            backlog.addFirst(task);
            return;
        }
        try {
            task.run();
        } catch (RuntimeException e) {
            observer.failed(this, e);
        }
        observer.stepped(this);
    }

    /** Counts down to the trap: something is about to happen in this process. */
    public void step() {
        if (stepsToGo > 0 && --stepsToGo == 0 && trap != null) {
            Runnable sprung = trap;
            trap = null;
            sprung.run();
        }
    }

    /** Runs an action in the middle of this process's tasks, after this many steps. */
    public void trap(int steps, Runnable sprung) {
        stepsToGo = steps;
        trap = sprung;
    }

    /** Pauses, as in a garbage collection or after SIGSTOP. */
    public void pause() {
        paused = true;
    }

    /** Pauses with its machine: its monotonic clock stops, too. */
    public void suspend() {
        paused = true;
        clock.suspend();
    }

    /** Resumes, and runs the tasks that arrived during the pause. */
    public void resume() {
        paused = false;
        clock.resume();
        while (!paused && !dead && !backlog.isEmpty()) {
            run(backlog.remove());
        }
    }

    /** Dies. */
    public void kill() {
        dead = true;
        paused = false;
        backlog.clear();
    }

    /** A loop of this process, on a thread of its own. */
    public EventLoop loop() {
        return new Loop();
    }

    /**
     * A thread of this process that runs one task after the other.
     *
     * @param slowness the delay before each task, in nanoseconds
     */
    public Executor thread(LongSupplier slowness) {
        return new Executor() {
            private long busyUntil;

            @Override
            public void execute(Runnable task) {
                busyUntil = Math.max(busyUntil, time.now()) + slowness.getAsLong();
                time.after(busyUntil - time.now(), () -> VirtualProcess.this.run(task));
            }
        };
    }

    private final class Loop implements EventLoop {

        @Override
        public Clock clock() {
            return clock;
        }

        @Override
        public void execute(Runnable task) {
            if (!dead) {
                time.after(0, () -> run(task));
            }
        }

        @Override
        public Timer schedule(Duration delay, Runnable task) {
            if (dead) {
                return () -> {};
            }
            return new LoopTimer(Math.max(0, delay.toNanos()), task);
        }
    }

    /** A timer of a loop. If it is early, because the monotonic clock has stopped, it is set again. */
    private final class LoopTimer implements EventLoop.Timer, Runnable {

        private final Runnable task;
        private final long dueAt;
        private int suspensions;
        private VirtualTime.Due due;
        private boolean cancelled;

        LoopTimer(long delay, Runnable task) {
            this.task = task;
            this.dueAt = clock.nanos() + delay;
            this.suspensions = clock.suspensions();
            this.due = after(delay);
        }

        private VirtualTime.Due after(long delay) {
            return time.after(clock.trueNanos(delay), () -> VirtualProcess.this.run(this));
        }

        @Override
        public void run() {
            if (cancelled) {
                return;
            }
            long left = dueAt - clock.nanos();
            if (left > 0 && clock.suspensions() > suspensions) {
                suspensions = clock.suspensions();
                due = after(left);
            } else {
                task.run();
            }
        }

        @Override
        public void cancel() {
            cancelled = true;
            due.cancel();
        }
    }
}
