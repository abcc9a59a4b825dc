package io.cle.test.exploration;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * A 128-bit hash of a state, by which two states are the same if they differ only in what makes no difference to what follows:
 *
 * <ul>
 *   <li>When they are reached. Monotonic instants count by how far they lie from now; those that are further in the past than every duration that
 *       a machine adds to one count by their order. So histories of any length lead to finitely many states.
 *   <li>Versions, which count by their order, and times of a wall clock: by their order, by which is the present one, and by whether it is a whole
 *       second. No machine adds a duration to a time of a wall clock; {@code LeaseWrites.stamp} compares one with now and a duration, by which it
 *       only tells apart clocks that are further apart than any duration, as those of two processes are here.
 *   <li>Nonces and ids of writes, which count by which are the same.
 *   <li>Which process is called what, if all processes are alike ({@link Setting#symmetric}): of all ways to name them the one with the least hash
 *       counts.
 * </ul>
 *
 * <p>Among a hundred million states, the probability that two different ones share a fingerprint is below 10<sup>-22</sup>.
 */
final class Fingerprint {

    private final Clocks clocks;
    private final long longAgo;
    private final int tick;
    private final List<Tokens> parts = new ArrayList<>();

    /** Ascending: versions; then, by clock, instants long ago, and times. */
    private final long[] versions;

    private final long[][] oldInstants;
    private final long[][] times;

    private long[] names = new long[16];
    private long high;
    private long low;

    /** The fingerprint of a state. */
    static Fingerprint of(World world, Clocks clocks, Setting setting) {
        Fingerprint least = null;
        for (int[] renaming : setting.renamings()) {
            Fingerprint next = least == null
                    ? new Fingerprint(world, clocks, setting, renaming)
                    : new Fingerprint(world, clocks, renaming, least);
            if (least == null || next.high < least.high || (next.high == least.high && next.low < least.low)) {
                least = next;
            }
        }
        return Objects.requireNonNull(least, "there is one way to name the processes at least");
    }

    private Fingerprint(World world, Clocks clocks, Setting setting, int[] renaming) {
        this.clocks = clocks;
        this.tick = world.tick;
        longAgo = setting.longAgo();
        collect(world, renaming);
        versions = distinct(Tokens.VERSION, Long.MIN_VALUE, Long.MAX_VALUE);
        int count = setting.clocks();
        oldInstants = new long[count][];
        times = new long[count][];
        for (int clock = 0; clock < count; clock++) {
            long now = clocks.nanos(clock, tick);
            oldInstants[clock] = distinct((byte) (Tokens.INSTANT + clock), Long.MIN_VALUE, now - longAgo);
            times[clock] = distinct((byte) (Tokens.TIME + clock), Long.MIN_VALUE, Long.MAX_VALUE);
        }
        hash(renaming);
    }

    /** Of the same state with other names. */
    private Fingerprint(World world, Clocks clocks, int[] renaming, Fingerprint same) {
        this.clocks = clocks;
        this.tick = world.tick;
        longAgo = same.longAgo;
        versions = same.versions;
        oldInstants = same.oldInstants;
        times = same.times;
        collect(world, renaming);
        hash(renaming);
    }

    long high() {
        return high;
    }

    long low() {
        return low;
    }

    /** Puts the parts into the order of the new names. */
    private void collect(World world, int[] renaming) {
        parts.add(world.tokens(clocks));
        int[] former = new int[renaming.length];
        for (int i = 0; i < renaming.length; i++) {
            former[renaming[i]] = i;
        }
        for (int process : former) {
            parts.add(world.processes[process].tokens(clocks));
        }
        for (int copy = former.length; copy < world.processes.length; copy++) {
            parts.add(world.processes[copy].tokens(clocks));
        }
        if (world.coordinator != null) {
            parts.add(world.coordinator.tokens(clocks));
        }
        for (int i = World.Message.COORDINATOR; i < world.processes.length; i++) {
            int from = i >= 0 && i < former.length ? former[i] : i;
            for (World.Message message : world.network) {
                if (message.from() == from) {
                    parts.add(message.tokens(clocks));
                }
            }
        }
    }

    private void hash(int[] renaming) {
        high = 0x9E3779B97F4A7C15L;
        low = 0xC2B2AE3D27D4EB4FL;
        int named = 0;
        for (Tokens tokens : parts) {
            for (int i = 0; i < tokens.size(); i++) {
                long value = tokens.value(i);
                byte kind = tokens.kind(i);
                switch (kind) {
                    case Tokens.PLAIN -> mixIn(value);
                    case Tokens.VERSION -> mixIn(1L << 40 | Arrays.binarySearch(versions, value));
                    case Tokens.PROCESS ->
                        mixIn(2L << 40 | (value >= 0 && value < renaming.length ? renaming[(int) value] : value + 100));
                    case Tokens.NAME -> {
                        int at = indexOf(value, named);
                        if (at == named) {
                            names = at == names.length ? Arrays.copyOf(names, 2 * at) : names;
                            names[named++] = value;
                        }
                        mixIn(3L << 40 | at);
                    }
                    default -> {
                        if (kind < Tokens.TIME) {
                            instant(kind - Tokens.INSTANT, value);
                        } else {
                            time(kind - Tokens.TIME, value, renaming);
                        }
                    }
                }
            }
            mixIn(0x5EA1L);
        }
        high = mix(high ^ Long.rotateLeft(low, 17));
        low = mix(low + Long.rotateLeft(high, 41));
    }

    private int indexOf(long name, int named) {
        int at = 0;
        while (at < named && names[at] != name) {
            at++;
        }
        return at;
    }

    private void instant(int clock, long value) {
        long ahead = value - clocks.nanos(clock, tick);
        if (ahead < -longAgo) {
            mixIn(4L << 40 | Arrays.binarySearch(oldInstants[clock], value));
        } else {
            mixIn(ahead ^ 0x1A57A17L);
        }
    }

    private void time(int clock, long micros, int[] renaming) {
        long[] known = times[clock];
        int now = Arrays.binarySearch(known, clocks.wallMicros(clock, tick));
        int at = Arrays.binarySearch(known, micros);
        boolean present = now >= 0;
        int distance = at - (present ? now : -now - 1);
        mixIn(5L << 40 | (present ? 1L << 20 : 0) | (distance + 1000));
        mixIn((micros % 1_000_000 == 0 ? 8 : 0) + (clock < renaming.length ? renaming[clock] : clock));
    }

    private long[] distinct(byte kind, long least, long below) {
        long[] found = new long[16];
        int count = 0;
        for (Tokens tokens : parts) {
            for (int i = 0; i < tokens.size(); i++) {
                long value = tokens.value(i);
                if (tokens.kind(i) == kind && value >= least && value < below) {
                    found = count == found.length ? Arrays.copyOf(found, 2 * count) : found;
                    found[count++] = value;
                }
            }
        }
        Arrays.sort(found, 0, count);
        int distinct = 0;
        for (int i = 0; i < count; i++) {
            if (i == 0 || found[i] != found[i - 1]) {
                found[distinct++] = found[i];
            }
        }
        return Arrays.copyOf(found, distinct);
    }

    private void mixIn(long value) {
        high = mix(high ^ value) * 0xFF51AFD7ED558CCDL;
        low = mix(low + value * 0x9FB21C651E98DF25L) + 0x165667B19E3779F9L;
    }

    private static long mix(long value) {
        long mixed = (value ^ (value >>> 32)) * 0xD6E8FEB86659FD93L;
        mixed = (mixed ^ (mixed >>> 32)) * 0xD6E8FEB86659FD93L;
        return mixed ^ (mixed >>> 32);
    }
}
