package io.cle.spring.lock.internal;

import java.time.Duration;
import java.util.Optional;

import io.cle.loop.internal.EventLoop;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns of an application that doesn't get ready. Its process becomes a candidate only when it is ready: with a {@code CommandLineRunner}
 * that never returns, such as an application's main loop, no process would ever lead, and nothing would be logged. Thread-safe.
 */
public final class StartupWatch {

    /** How long an application may take from the start of its last bean until it is ready. */
    static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final Logger log = LoggerFactory.getLogger(StartupWatch.class);

    private static final String SPRING_APPLICATION = "org.springframework.boot.SpringApplication";

    private final EventLoop loop;
    /** The thread that starts the application; {@code null} before the start, and when the application is ready or closes. */
    private volatile @Nullable Thread starting;

    private EventLoop.@Nullable Timer timer;
    /** The last reported delay; used on the loop only. */
    private String reported = "";

    /**
     * Creates a watch that is not started.
     *
     * @param loop has the timer
     */
    public StartupWatch(EventLoop loop) {
        this.loop = loop;
    }

    /** Starts the watch, on the thread that has started the beans and will run the runners. */
    synchronized void begin() {
        starting = Thread.currentThread();
        timer = loop.schedule(PATIENCE, this::report);
    }

    /** Ends the watch, because the application is ready or closes. */
    synchronized void end() {
        starting = null;
        if (timer != null) {
            timer.cancel();
        }
    }

    /** Logs what the start waits for, and again whenever that has changed. */
    private synchronized void report() {
        delay().filter(delay -> !delay.equals(reported)).ifPresent(delay -> {
            reported = delay;
            log.warn(
                    "the application isn't ready, and until then this process is no candidate and leads nothing: {}. Work that doesn't"
                            + " end belongs on a thread of its own; if only the leader is to do it, in a method with @OnLeader",
                    delay);
        });
        if (starting != null) {
            timer = loop.schedule(PATIENCE, this::report);
        }
    }

    /** Describes what the start of the application waits for; empty if the application is ready, or not started yet. */
    public Optional<String> delay() {
        Thread thread = starting;
        return thread == null
                ? Optional.empty()
                : Optional.of(
                        delay(thread.getStackTrace()).orElse("SpringApplication has not reported that it is ready"));
    }

    /** Finds the outermost method of the application that the start has called and that has not returned. */
    static Optional<String> delay(StackTraceElement[] stack) {
        for (int caller = stack.length - 1; caller > 0; caller--) {
            String type = stack[caller].getClassName();
            boolean runs = type.equals(SPRING_APPLICATION)
                    && stack[caller].getMethodName().startsWith("callRunner");
            if (runs || type.equals(SPRING_APPLICATION + "RunListeners")) {
                return Optional.of((runs ? "the runner " : "a listener of the start, ") + applications(stack, caller)
                        + " has not returned");
            }
        }
        return Optional.empty();
    }

    private static String applications(StackTraceElement[] stack, int caller) {
        for (int i = caller - 1; i >= 0; i--) {
            String type = stack[i].getClassName();
            boolean library = type.startsWith("org.springframework.")
                    || type.startsWith("java.")
                    || type.startsWith("jdk.")
                    || type.contains("$$");
            if (!library) {
                return type + "." + stack[i].getMethodName();
            }
        }
        return stack[caller - 1].getClassName() + "." + stack[caller - 1].getMethodName();
    }
}
