package io.cle.test.simulation.internal.process;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What happened, for a person to read: one line for each event, with virtual time, process and event. */
public final class History {

    private final VirtualTime time;
    private final boolean on;
    private final List<String> lines = new ArrayList<>();
    private int digest = 1;

    /**
     * An empty history.
     *
     * @param on whether lines are kept; callers make none otherwise
     */
    public History(VirtualTime time, boolean on) {
        this.time = time;
        this.on = on;
    }

    /** Whether lines are kept. */
    public boolean on() {
        return on;
    }

    /** Adds a line. */
    public void line(String who, String what) {
        if (on) {
            String line = String.format(Locale.ROOT, "%10.6f  %-16s %s", time.now() / 1e9, who, what);
            lines.add(line);
        }
    }

    /** Adds an event to the digest, by which two runs are compared without their lines. */
    public void record(int what) {
        digest = 31 * (31 * digest + Long.hashCode(time.now())) + what;
    }

    /** A hash of all events so far. */
    public int digest() {
        return digest;
    }

    /** The lines so far. */
    public List<String> lines() {
        return List.copyOf(lines);
    }
}
