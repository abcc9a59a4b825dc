package io.cle.kubernetes.internal.login;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.cle.loop.internal.Clock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A cached value with a limited lifetime: it is renewed before it expires, and after it was refused. Concurrent callers share one call of
 * the source. While the value is valid, a source that fails or hangs only causes a warning. The age is measured by the monotonic clock, so
 * that a change of the wall clock neither expires nor extends it. Thread-safe.
 *
 * @param <T> the type of the value, which is compared with its predecessor by identity
 */
public final class Renewed<T> {

    /** The delay after a failure while the current value is valid. */
    static final Duration RETRY = Duration.ofSeconds(10);

    /** The minimum time between two runs: an API server that refuses every request must not make a process run programs in a tight loop. */
    static final Duration SPACING = Duration.ofSeconds(1);

    /** The time after which a run is abandoned and another one is started: client-java calls identity providers without a timeout. */
    static final Duration LONGEST_RUN = ExecPlugin.LONGEST_FIRST_RUN.plusMinutes(1);

    private static final Duration BETWEEN_WARNINGS = Duration.ofMinutes(1);
    private static final long NEVER = Long.MAX_VALUE;

    private static final Logger log = LoggerFactory.getLogger(Renewed.class);

    private final String name;
    private final Source<T> source;
    private final Clock clock;
    private final boolean quick;
    private final Executor executor;
    private final Timer timer;
    private final long origin;

    /** The value read last; {@code null} before the first read. */
    private @Nullable T value;

    /** When the value expires. These times are nanoseconds since {@link #origin}. */
    private long validUntil;

    private long renewAt;

    /** The earliest time of the next run, even if the value has expired or was refused. */
    private long notBefore;

    private long warnAt;

    /** Whether the value has been used since it was read. An unused value is not renewed in advance. */
    private boolean used;

    /** Why the last run returned no value. */
    private String failure = "it has returned nothing yet";

    /** The run in progress, completed when it has ended, successfully or not. */
    private @Nullable CompletableFuture<Void> running;

    private long runningSince;

    /** The source of a value. */
    @FunctionalInterface
    interface Source<T> {

        /**
         * Reads the value, blocking. Not called concurrently, unless the first call takes more than {@link #LONGEST_RUN}.
         *
         * @throws IOException if there is no value; the message says why
         */
        Fresh<T> read() throws IOException;
    }

    /**
     * A value just read.
     *
     * @param renewIn when to read it again; {@code null} to read it only after it was refused
     * @param validFor how long it can be used; {@code null} until it is replaced
     */
    record Fresh<T>(
            T value, @Nullable Duration renewIn, @Nullable Duration validFor) {}

    /** Runs a task after a delay. */
    @FunctionalInterface
    interface Timer {
        void after(Duration delay, Runnable task);
    }

    private Renewed(String name, Source<T> source, Clock clock, boolean quick, Executor executor, Timer timer) {
        this.name = name;
        this.source = source;
        this.clock = clock;
        this.quick = quick;
        this.executor = executor;
        this.timer = timer;
        origin = clock.nanos();
    }

    /**
     * Returns a value whose source is fast, such as a file. It is read on the caller's thread when it is due.
     *
     * @param name of the source, for messages
     */
    static <T> Renewed<T> inPlace(String name, Source<T> source, Clock clock) {
        return new Renewed<>(name, source, clock, true, Runnable::run, (delay, task) -> {});
    }

    /**
     * Returns a value whose source is slow, such as a program. It is read on a separate thread, also in advance of its expiry.
     *
     * @param name of the source, for messages
     */
    static <T> Renewed<T> inBackground(String name, Source<T> source, Clock clock) {
        return inBackground(
                name,
                source,
                clock,
                Renewed::startThread,
                (delay, task) -> CompletableFuture.delayedExecutor(delay.toNanos(), TimeUnit.NANOSECONDS)
                        .execute(task));
    }

    static <T> Renewed<T> inBackground(String name, Source<T> source, Clock clock, Executor executor, Timer timer) {
        return new Renewed<>(name, source, clock, false, executor, timer);
    }

    /**
     * Returns the value, and reads it first if there is no valid one.
     *
     * @param patience how long to wait for the source in that case
     * @throws IOException if there is no value; the message names the source and says why
     */
    T get(Duration patience) throws IOException {
        CompletableFuture<Void> run;
        synchronized (this) {
            used = true;
            run = inHand() != null && now() < renewAt ? null : renew();
            T inHand = inHand();
            if (inHand != null) {
                return inHand;
            }
        }
        if (run != null) {
            await(run, patience);
        }
        synchronized (this) {
            T given = inHand();
            if (given == null) {
                throw new IOException(name + ": " + failure);
            }
            return given;
        }
    }

    /** Starts a new thread: runs are too rare for a pool. */
    static void startThread(Runnable task) {
        Thread thread = new Thread(task, "cle-credential");
        thread.setDaemon(true);
        thread.start();
    }

    /** Reports that the API server has refused a value. It is read again unless that has already happened, and stays in use until then. */
    synchronized void doubt(T refused) {
        if (value == refused) {
            renew();
        }
    }

    /** Reports that the API server may have refused a value. Only a fast source is read again, because this is called for each broken connection. */
    void suspect(T maybeRefused) {
        if (quick) {
            doubt(maybeRefused);
        }
    }

    private synchronized void renewAhead() {
        if (used && now() >= renewAt) {
            renew();
        }
    }

    /** Returns the run in progress, started if necessary; {@code null} if the last run is too recent to start another. */
    private synchronized @Nullable CompletableFuture<Void> renew() {
        boolean underWay = running != null && now() - runningSince < LONGEST_RUN.toNanos();
        if (underWay || now() < notBefore) {
            return running;
        }
        CompletableFuture<Void> run = new CompletableFuture<>();
        running = run;
        runningSince = now();
        boolean begun = false;
        try {
            executor.execute(() -> run(run));
            begun = true;
        } finally {
            if (!begun) {
                running = null;
            }
        }
        return run;
    }

    private void run(CompletableFuture<Void> run) {
        try {
            read(source.read());
        } catch (IOException | RuntimeException e) {
            notRead(e);
        } finally {
            synchronized (this) {
                running = running == run ? null : running;
            }
            run.complete(null);
        }
    }

    private synchronized void read(Fresh<T> fresh) {
        long now = now();
        value = fresh.value();
        validUntil = fresh.validFor() == null ? NEVER : now + fresh.validFor().toNanos();
        failure = "its last value has expired";
        used = false;
        warnAt = 0;
        next(now, fresh.renewIn());
    }

    private synchronized void notRead(Exception e) {
        long now = now();
        failure = e instanceof IOException && e.getMessage() != null ? e.getMessage() : e.toString();
        if (inHand() != null && now >= warnAt) {
            warnAt = now + BETWEEN_WARNINGS.toNanos();
            log.warn(
                    "{}: {}; its last value is used {}",
                    name,
                    failure,
                    validUntil == NEVER
                            ? "until it returns another"
                            : "for " + TimeUnit.NANOSECONDS.toSeconds(validUntil - now)
                                    + " s more, with further attempts");
        }
        next(now, RETRY);
    }

    private void next(long now, @Nullable Duration delay) {
        notBefore = now + SPACING.toNanos();
        renewAt = delay == null ? NEVER : now + delay.toNanos();
        if (delay != null) {
            timer.after(delay, this::renewAhead);
        }
    }

    private @Nullable T inHand() {
        return now() < validUntil ? value : null;
    }

    private long now() {
        return clock.nanos() - origin;
    }

    private void await(CompletableFuture<Void> run, Duration patience) throws IOException {
        try {
            run.get(patience.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw new IOException(name + ": it has returned nothing for " + patience.toMillis() + " ms", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException(name + ": interrupted while waiting for it");
        } catch (ExecutionException e) {
            throw new IllegalStateException("a run is never completed by an exception", e);
        }
    }
}
