package io.cle.samples.upgrade;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;

import io.cle.samples.narration.Stopwatch;
import io.cle.samples.narration.StoryFailedException;

/**
 * Records the terms from the replicas' events {@code OnGrantedLeadership} and {@code OnRevokedLeadership}. Checks that
 * no term begins before the previous one has ended, and that fencing tokens grow. Thread-safe.
 */
final class Chronicle {

    private final Stopwatch stopwatch;
    private final Consumer<String> problems;
    private final List<RecordedTerm> terms = new ArrayList<>();

    Chronicle(Stopwatch stopwatch, Consumer<String> problems) {
        this.stopwatch = stopwatch;
        this.problems = problems;
    }

    /** Records that a replica observed the start of its term. */
    synchronized void granted(String replica, String version, long token) {
        long now = stopwatch.now();
        for (RecordedTerm term : terms) {
            if (term.open()) {
                problems.accept(replica + " was granted leadership (token " + token + ") at " + Stopwatch.millis(now)
                        + " ms, while " + term.replica() + " had it (token " + term.token() + ")");
            }
            if (term.token() >= token) {
                problems.accept(replica + " was granted leadership with fencing token " + token + ", after "
                        + term.replica() + " had had " + term.token());
            }
        }
        terms.add(new RecordedTerm(replica, version, token, now, OptionalLong.empty(), ""));
        notifyAll();
    }

    /** Records that a replica observed the end of its term. */
    synchronized void revoked(String replica, long token, String reason) {
        close(replica, token, reason);
    }

    /** Records that a replica was killed, and can't report events any more. */
    synchronized void killed(String replica) {
        current()
                .filter(term -> term.replica().equals(replica))
                .ifPresent(term -> close(replica, term.token(), "killed"));
    }

    private void close(String replica, long token, String how) {
        for (int i = 0; i < terms.size(); i++) {
            RecordedTerm term = terms.get(i);
            if (term.open() && term.replica().equals(replica) && term.token() == token) {
                terms.set(i, term.ended(stopwatch.now(), how));
                notifyAll();
                return;
            }
        }
        problems.accept(replica + " was revoked leadership (token " + token + ") that it hadn't been granted");
    }

    /** Returns the current term. */
    synchronized Optional<RecordedTerm> current() {
        return terms.stream().filter(RecordedTerm::open).findFirst();
    }

    /** Returns all terms so far, in order. */
    synchronized List<RecordedTerm> terms() {
        return List.copyOf(terms);
    }

    /** Returns the time without a leader before a term, in nanoseconds; empty before the first term. */
    synchronized OptionalLong gapBefore(RecordedTerm term) {
        int index = terms.indexOf(term);
        if (index < 1 || terms.get(index - 1).open()) {
            return OptionalLong.empty();
        }
        return OptionalLong.of(term.from() - terms.get(index - 1).to().getAsLong());
    }

    /**
     * Waits until the current term is of a kind.
     *
     * @param what describes the term in the message of the exception
     * @throws StoryFailedException if there is none in time
     */
    synchronized RecordedTerm await(Predicate<RecordedTerm> kind, String what, Duration patience)
            throws InterruptedException {
        long deadline = stopwatch.now() + patience.toNanos();
        while (true) {
            Optional<RecordedTerm> found = current().filter(kind);
            if (found.isPresent()) {
                return found.get();
            }
            long left = deadline - stopwatch.now();
            if (left <= 0) {
                throw new StoryFailedException(what + ": not within " + patience.toMillis() + " ms; "
                        + current().map(term -> term.replica() + " leads").orElse("there is no leader"));
            }
            TimeUnit.NANOSECONDS.timedWait(this, Math.max(left, TimeUnit.MILLISECONDS.toNanos(1)));
        }
    }
}
