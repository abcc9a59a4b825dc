package io.cle.evidence.peers.bare;

import java.time.Instant;
import java.util.concurrent.TimeUnit;

/** Prints what happens to a candidate as samples/candidate does: {@code <unix nanoseconds> <event>}, a line each, at once. Thread-safe. */
public final class Timeline {

    private Timeline() {}

    /** It is a candidate from here on. */
    public static void boot() {
        print("boot");
    }

    /** It leads. */
    public static void granted() {
        print("granted");
    }

    /** It no longer leads. */
    public static void revoked() {
        print("revoked");
    }

    private static void print(String event) {
        Instant now = Instant.now();
        System.out.println(TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano() + " " + event);
        System.out.flush();
    }
}
