package io.cle.test.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What happened, for a person to read: virtual time, who, what, in one line each. */
final class Transcript {

    private final VirtualTime time;
    private final boolean on;
    private final List<String> lines = new ArrayList<>();
    private int digest = 1;

    /**
     * An empty transcript.
     *
     * @param on whether lines are kept; where they aren't, nobody should take the trouble to make them
     */
    Transcript(VirtualTime time, boolean on) {
        this.time = time;
        this.on = on;
    }

    boolean on() {
        return on;
    }

    /** Adds a line. */
    void line(String who, String what) {
        if (on) {
            String line = String.format(Locale.ROOT, "%10.6f  %-16s %s", time.now() / 1e9, who, what);
            lines.add(line);
        }
    }

    /** Takes note of an instant at which something happened, so that two runs can be compared without their lines. */
    void mark(int what) {
        digest = 31 * (31 * digest + Long.hashCode(time.now())) + what;
    }

    int digest() {
        return digest;
    }

    List<String> lines() {
        return List.copyOf(lines);
    }
}
