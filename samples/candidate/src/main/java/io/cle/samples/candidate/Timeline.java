package io.cle.samples.candidate;

import java.io.PrintStream;
import java.time.Clock;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import io.cle.LeadershipListener;
import io.cle.RevokeReason;
import io.cle.Term;

/**
 * Prints each event at once as a line {@code <unix nanoseconds> <event>}. For a lease with shards, the event is
 * followed by the shard, such as {@code 3/16}.
 */
final class Timeline implements LeadershipListener {

    private final PrintStream out;
    private final Clock clock;
    private final AtomicBoolean announced = new AtomicBoolean();

    Timeline(PrintStream out, Clock clock) {
        this.out = out;
        this.clock = clock;
    }

    /** The candidate is about to be announced. */
    void announcing() {
        if (announced.compareAndSet(false, true)) {
            print("boot");
        }
    }

    /** A direct lock, which announces no candidate, is a candidate from here on. */
    @Override
    public void onAnnounced() {
        announcing();
    }

    @Override
    public void onGranted(Term term) {
        print("granted" + shard(term));
    }

    @Override
    public void onRevoked(Term term, RevokeReason reason) {
        print("revoked" + shard(term));
    }

    private static String shard(Term term) {
        return term.shard().map(shard -> " " + shard).orElse("");
    }

    private void print(String event) {
        Instant now = clock.instant();
        out.println(TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano() + " " + event);
        out.flush();
    }
}
