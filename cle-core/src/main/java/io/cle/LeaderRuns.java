package io.cle;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.cle.lock.internal.WorkInterrupter;
import io.cle.loop.internal.ThreadEventLoop;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs work while a lock leads, on one thread per term, and delays the release of the lease until the work has returned. */
final class LeaderRuns implements WorkInterrupter {

    private static final Logger log = LoggerFactory.getLogger(LeaderRuns.class);

    private final CoordinatedLeaseLock lock;
    private final LeaderAction work;
    private @Nullable Run current;
    private boolean ended;
    /** The fencing token of the last term that has ended. */
    private long endedToken = Long.MIN_VALUE;

    private record Run(long token, Thread thread, CompletableFuture<@Nullable Void> returned) {}

    LeaderRuns(CoordinatedLeaseLock lock, LeaderAction work) {
        this.lock = lock;
        this.work = work;
    }

    /** Runs work in every term of a lock, including the current one, until the returned object is closed. */
    static LeaderElection.LedWork of(CoordinatedLeaseLock lock, LeaderAction work) {
        LeaderRuns runs = new LeaderRuns(lock, work);
        Registration registration = lock.addListener(runs);
        runs.begin();
        return () -> runs.end(registration);
    }

    /** Starts the work if a term is already running, because the listener isn't called for terms that began before it was added. */
    synchronized void begin() {
        lock.term().ifPresent(this::run);
    }

    /**
     * Interrupts running work and starts none from now on. The listener stays registered until the work has returned: if the term ended
     * before, the lease would otherwise be released while the work is still running (safety.md#drain-before-release).
     */
    synchronized void end(Registration registration) {
        ended = true;
        interrupt();
        CompletableFuture<@Nullable Void> returned =
                current == null ? CompletableFuture.completedFuture(null) : current.returned();
        returned.thenRun(registration::close);
    }

    @Override
    public synchronized void onGranted(Term term) {
        run(term);
    }

    @Override
    public synchronized void termEnded(Term term, RevokeReason reason) {
        if (term.fencingToken() > endedToken) {
            endedToken = term.fencingToken();
            // Work that is added during a term starts at once, possibly before the end of the previous term is
            // reported.
            if (current != null && current.token() <= endedToken) {
                interrupt();
            }
        }
    }

    @Override
    public void onRevoked(Term term, RevokeReason reason) {
        termEnded(term, reason);
    }

    @Override
    public synchronized CompletionStage<Void> drained(Term term) {
        return current == null ? CompletableFuture.completedFuture(null) : current.returned();
    }

    private void interrupt() {
        if (current != null) {
            current.thread().interrupt();
        }
    }

    private void run(Term term) {
        boolean over = term.fencingToken() <= endedToken || !term.isValid();
        if (ended || over || (current != null && current.token() == term.fencingToken())) {
            return;
        }
        CompletableFuture<@Nullable Void> returned = new CompletableFuture<>();
        // A daemon, whichever thread starts it: a thread would otherwise inherit this from its creator.
        Thread thread = ThreadEventLoop.daemon(() -> runOnce(term, returned), "cle-leader-" + lock.name());
        thread.start();
        current = new Run(term.fencingToken(), thread, returned);
    }

    private void runOnce(Term term, CompletableFuture<@Nullable Void> returned) {
        Term.enter(term);
        try {
            work.run(term);
        } catch (InterruptedException endOfTerm) {
            log.debug("lease {}: the work was interrupted at the end of its term", lock.name());
        } catch (Exception | Error e) {
            log.error("lease {}: the work has failed; it runs again in the next term", lock.name(), e);
        } finally {
            returned.complete(null);
        }
    }
}
