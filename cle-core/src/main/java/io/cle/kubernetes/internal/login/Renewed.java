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
 * A value that its source gives for a while: kept, renewed before its end, and again once it has been refused. Of all who need it at once, one asks the
 * source. While the value is valid, a source that fails or hangs costs nothing but a warning. Its age is counted by the monotonic clock, so that a
 * wall clock that is set neither ends it nor keeps it. Thread-safe.
 *
 * @param <T> the value, which is compared with the one before by identity
 */
public final class Renewed<T> {

    /** After a failure, as long as the value in hand is valid. */
    static final Duration RETRY = Duration.ofSeconds(10);

    /** Between two runs, however many ask for them: an API server that refuses everything must not make a process run programs without end. */
    static final Duration SPACING = Duration.ofSeconds(1);

    /** A run that goes on for longer isn't waited for any more, and another is begun: client-java asks identity providers without a time-out. */
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

    /** The value that was read last; {@code null} before the first. */
    private @Nullable T value;

    /** From when on the value isn't used any more. These times are nanoseconds since {@link #origin}. */
    private long validUntil;

    private long renewAt;

    /** Not before this, even if the value has ended or was refused. */
    private long notBefore;

    private long warnAt;

    /** Whether the value has been asked for since it was read: one that is not used is not renewed ahead. */
    private boolean used;

    /** Why the last run gave nothing. */
    private String failure = "it has given nothing yet";

    /** The run that is under way, completed when it has ended, in whichever way. */
    private @Nullable CompletableFuture<Void> running;

    private long runningSince;

    /** Where a value comes from. */
    @FunctionalInterface
    interface Source<T> {

        /**
         * Reads it, blocking. Not called twice at once, unless the first call goes on for more than {@link #LONGEST_RUN}.
         *
         * @throws IOException if there is none; the message says why
         */
        Fresh<T> read() throws IOException;
    }

    /**
     * A value that was just read.
     *
     * @param renewIn when to read it again; {@code null} for not before it is refused
     * @param validFor how long it can be used; {@code null} for until there is another
     */
    record Fresh<T>(
            T value, @Nullable Duration renewIn, @Nullable Duration validFor) {}

    /** Runs a task after a while. */
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
     * A value whose source is quick, such as a file: read by who asks, when it is due.
     *
     * @param name of the source, for messages
     */
    static <T> Renewed<T> inPlace(String name, Source<T> source, Clock clock) {
        return new Renewed<>(name, source, clock, true, Runnable::run, (delay, task) -> {});
    }

    /**
     * A value whose source is slow, such as a program: read on a thread of its own, also ahead of its end.
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
     * Returns the value, which is read now if there is none that is valid.
     *
     * @param patience how long to wait for the source, then
     * @throws IOException if there is none; the message names the source and says why
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

    /** Runs are too rare for threads that wait for them. */
    static void startThread(Runnable task) {
        Thread thread = new Thread(task, "cle-credential");
        thread.setDaemon(true);
        thread.start();
    }

    /** The API server has refused this value: it is read again, unless it already was. It stays in use until then. */
    synchronized void doubt(T refused) {
        if (value == refused) {
            renew();
        }
    }

    /** The API server may have refused this value: a source that is quick is read again, a slow one isn't, for each connection that breaks. */
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

    /** Returns the run that is under way; {@code null} if there is none, because the last one was a moment ago. */
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
        failure = "what it gave has ended";
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
                    "{}: {}; what it gave before is used {}",
                    name,
                    failure,
                    validUntil == NEVER
                            ? "until it gives another"
                            : "for " + TimeUnit.NANOSECONDS.toSeconds(validUntil - now)
                                    + " s more, and it is asked again");
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
            throw new IOException(name + ": it has given nothing for " + patience.toMillis() + " ms", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException(name + ": interrupted while waiting for it");
        } catch (ExecutionException e) {
            throw new IllegalStateException("a run is never completed by an exception", e);
        }
    }
}
