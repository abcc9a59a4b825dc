package io.cle.test.exploration;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * A 128-bit hash of a state. Two states share it if they differ only in what can't affect their successors:
 *
 * <ul>
 *   <li>The tick. Monotonic instants are hashed by their distance from now; those further in the past than every duration that a machine adds, by
 *       their order. So histories of any length lead to finitely many states.
 *   <li>Versions, which are hashed by their order, and wall clock times: by their order, by which is the present one, and by whether it is a
 *       whole second. No machine adds a duration to a wall clock time; {@code LeaseWrites.stamp} compares one with now and a duration, but only
 *       distinguishes clocks that differ by more than any duration, as those of two processes do here.
 *   <li>Nonces and ids of writes, which are hashed by which are equal.
 *   <li>The names of processes, if all processes are alike ({@link Setting#symmetric}): of all renamings, the least hash is used.
 * </ul>
 *
 * <p>Among a hundred million states, the probability that two different ones share a fingerprint is below 10<sup>-22</sup>.
 */
record Fingerprint(long high, long low) {

    /** Returns the parts of a state in the order of a renaming of its processes. */
    interface Parts {
        void collect(int[] renaming, List<Tokens> parts);
    }

    /**
     * Returns the fingerprint of a state.
     *
     * @param longAgo the nanoseconds into the past beyond which only order matters
     * @param farAhead the nanoseconds into the future beyond which only order matters
     * @param exactTimes whether wall clock times are hashed by their distance from now, unless they are long ago
     * @param renamings the ways to name the processes that make no difference; one at least
     */
    static Fingerprint of(
            Parts parts,
            Clocks clocks,
            int tick,
            long longAgo,
            long farAhead,
            boolean exactTimes,
            List<int[]> renamings) {
        Hash least = null;
        for (int[] renaming : renamings) {
            Hash next = least == null
                    ? new Hash(parts, clocks, tick, longAgo, farAhead, exactTimes, renaming)
                    : new Hash(parts, renaming, least);
            if (least == null || next.high < least.high || (next.high == least.high && next.low < least.low)) {
                least = next;
            }
        }
        Objects.requireNonNull(least, "there is one way to name the processes at least");
        return new Fingerprint(least.high, least.low);
    }

    /** Computes the hash. */
    private static final class Hash {

        private final Clocks clocks;
        private final long longAgo;
        private final long farAhead;
        private final boolean exactTimes;
        private final int tick;
        private final List<Tokens> parts = new ArrayList<>();

        /** Ascending: versions; then, by clock, instants long ago or far ahead, and times. */
        private final Numbers versions;

        private final Numbers[] remoteInstants;
        private final Numbers[] times;

        private long[] names = new long[16];
        private long high;
        private long low;

        private Hash(
                Parts parts, Clocks clocks, int tick, long longAgo, long farAhead, boolean exactTimes, int[] renaming) {
            this.clocks = clocks;
            this.tick = tick;
            this.longAgo = longAgo;
            this.farAhead = farAhead;
            this.exactTimes = exactTimes;
            parts.collect(renaming, this.parts);
            versions = new Numbers();
            remoteInstants = new Numbers[clocks.count()];
            times = new Numbers[clocks.count()];
            for (int clock = 0; clock < times.length; clock++) {
                remoteInstants[clock] = new Numbers();
                times[clock] = new Numbers();
            }
            sortNumbers();
            hash(renaming);
        }

        /** Of the same state with other names. */
        private Hash(Parts parts, int[] renaming, Hash same) {
            clocks = same.clocks;
            tick = same.tick;
            longAgo = same.longAgo;
            farAhead = same.farAhead;
            exactTimes = same.exactTimes;
            versions = same.versions;
            remoteInstants = same.remoteInstants;
            times = same.times;
            parts.collect(renaming, this.parts);
            hash(renaming);
        }

        private void sortNumbers() {
            for (Tokens tokens : parts) {
                for (int i = 0; i < tokens.size(); i++) {
                    byte kind = tokens.kind(i);
                    long value = tokens.value(i);
                    if (kind == Tokens.VERSION) {
                        versions.add(value);
                    } else if (kind >= Tokens.TIME) {
                        times[kind - Tokens.TIME].add(value);
                    } else if (kind >= Tokens.INSTANT && isRemote(kind - Tokens.INSTANT, value)) {
                        remoteInstants[kind - Tokens.INSTANT].add(value);
                    }
                }
            }
            versions.sort();
            for (int clock = 0; clock < times.length; clock++) {
                remoteInstants[clock].sort();
                times[clock].sort();
            }
        }

        private boolean isRemote(int clock, long instant) {
            long ahead = instant - clocks.nanos(clock, tick);
            return ahead < -longAgo || ahead > farAhead;
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
                        case Tokens.VERSION -> mixIn(1L << 40 | versions.indexOf(value));
                        case Tokens.PROCESS ->
                            mixIn(2L << 40
                                    | (value >= 0 && value < renaming.length ? renaming[(int) value] : value + 100));
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
            if (isRemote(clock, value)) {
                boolean ahead = value - clocks.nanos(clock, tick) > 0;
                mixIn((ahead ? 7L : 4L) << 40 | remoteInstants[clock].indexOf(value));
            } else {
                mixIn((value - clocks.nanos(clock, tick)) ^ 0x1A57A17L);
            }
        }

        private void time(int clock, long micros, int[] renaming) {
            long present = clocks.wallMicros(clock, tick);
            if (exactTimes && Math.abs(micros - present) * 1000 <= longAgo) {
                mixIn(6L << 40 ^ (micros - present));
            } else {
                int now = times[clock].indexOf(present);
                boolean known = now >= 0;
                int distance = times[clock].indexOf(micros) - (known ? now : -now - 1);
                mixIn(5L << 40 | (known ? 1L << 20 : 0) | (distance + 1000));
            }
            mixIn((micros % 1_000_000 == 0 ? 8 : 0) + (clock < renaming.length ? renaming[clock] : clock));
        }

        /** Distinct numbers, sorted. */
        private static final class Numbers {
            private long[] numbers = new long[8];
            private int count;

            /** There are a dozen at most, and neighbours are often the same. */
            void add(long number) {
                for (int i = count - 1; i >= 0; i--) {
                    if (numbers[i] == number) {
                        return;
                    }
                }
                numbers = count == numbers.length ? Arrays.copyOf(numbers, 2 * count) : numbers;
                numbers[count++] = number;
            }

            void sort() {
                Arrays.sort(numbers, 0, count);
            }

            /** As {@link Arrays#binarySearch}. */
            int indexOf(long number) {
                int at = 0;
                while (at < count && numbers[at] < number) {
                    at++;
                }
                return at < count && numbers[at] == number ? at : -at - 1;
            }
        }

        /** One multiplication each, because most of an exploration's time is spent here; all bits are mixed in the end. */
        private void mixIn(long value) {
            high = (high ^ value) * 0xFF51AFD7ED558CCDL;
            high ^= high >>> 29;
            low = (Long.rotateLeft(low, 23) + value) * 0x9FB21C651E98DF25L;
            low ^= low >>> 32;
        }

        private static long mix(long value) {
            long mixed = (value ^ (value >>> 32)) * 0xD6E8FEB86659FD93L;
            mixed = (mixed ^ (mixed >>> 32)) * 0xD6E8FEB86659FD93L;
            return mixed ^ (mixed >>> 32);
        }
    }
}
