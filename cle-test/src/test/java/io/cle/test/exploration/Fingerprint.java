package io.cle.test.exploration;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

import org.jspecify.annotations.Nullable;

/**
 * A 128-bit hash of a state, by which two states are the same if they differ only in when they are reached: instants count by how far
 * they lie from now, and versions by their order. So histories of any length lead to finitely many states.
 *
 * <p>The values are found in whatever classes a state is made of, so that nothing has to be known of them; what a number means is told by
 * its magnitude, because clocks and versions begin at numbers of their own ({@link Clocks}). Instants that are further in the past than
 * every duration that a machine adds to one count by their order, too. Among a hundred million states, the probability that two
 * different ones share a fingerprint is below 10<sup>-22</sup>.
 */
@SuppressWarnings("EnumOrdinal") // fingerprints of one program are compared with each other alone
final class Fingerprint {

    private static final Map<Class<?>, Field[]> FIELDS = new ConcurrentHashMap<>();

    /** Longer than all durations in a {@link Setting}, so that an instant before it and one long before it come to the same. */
    private static final long LONG_AGO = 12 * Setting.SECOND;

    private static final byte PLAIN = 0;
    private static final byte VERSION = 1;
    private static final byte OLD_INSTANT = 2;
    private static final byte OLD_TIME = 3;
    private static final int TAGS = 4;

    private final Clocks clocks;
    private final int tick;
    private long[] values = new long[512];
    private byte[] tags = new byte[512];
    private int size;
    private long high = 0x9E3779B97F4A7C15L;
    private long low = 0xC2B2AE3D27D4EB4FL;

    private Fingerprint(Clocks clocks, int tick) {
        this.clocks = clocks;
        this.tick = tick;
    }

    /** The fingerprint of a state at a tick. */
    static Fingerprint of(Object state, Clocks clocks, int tick) {
        Fingerprint fingerprint = new Fingerprint(clocks, tick);
        fingerprint.add(state);
        fingerprint.hash();
        return fingerprint;
    }

    long high() {
        return high;
    }

    long low() {
        return low;
    }

    private void hash() {
        long[][] ranked = new long[TAGS][];
        for (byte tag = VERSION; tag < TAGS; tag++) {
            ranked[tag] = distinct(tag);
        }
        for (int i = 0; i < size; i++) {
            byte tag = tags[i];
            mixIn(tag == PLAIN ? values[i] : (long) tag << 40 | Arrays.binarySearch(ranked[tag], values[i]));
        }
        high = mix(high ^ Long.rotateLeft(low, 17));
        low = mix(low + Long.rotateLeft(high, 41));
    }

    private long[] distinct(byte tag) {
        long[] found = new long[size];
        int count = 0;
        for (int i = 0; i < size; i++) {
            if (tags[i] == tag) {
                found[count++] = values[i];
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

    private void put(byte tag, long value) {
        if (size == values.length) {
            values = Arrays.copyOf(values, 2 * size);
            tags = Arrays.copyOf(tags, 2 * size);
        }
        values[size] = value;
        tags[size++] = tag;
    }

    private void plain(long value) {
        put(PLAIN, value);
    }

    private void number(long value) {
        if (Clocks.isVersion(value)) {
            put(VERSION, value);
            return;
        }
        int clock = clocks.clockOf(value);
        if (clock < 0) {
            plain(value);
            return;
        }
        long ahead = value - clocks.nanos(clock, tick);
        if (ahead < -LONG_AGO) {
            put(OLD_INSTANT, value);
        } else {
            plain(ahead ^ 0x1A57A17L);
        }
    }

    private void time(long micros) {
        if (Clocks.isVersion(micros / 1_000_000)) {
            put(VERSION, micros / 1_000_000);
            plain(micros % 1_000_000);
            return;
        }
        int clock = clocks.wallClockOf(micros);
        long ahead = micros - clocks.wallMicros(clock, tick);
        if (ahead < -LONG_AGO / 1000) {
            put(OLD_TIME, micros);
        } else {
            plain(ahead ^ 0x71BEL);
        }
        plain(clock);
    }

    private void text(String text) {
        int at = text.indexOf('@');
        if (at >= 0) {
            plain(text.substring(0, at).hashCode());
            time(Long.parseLong(text.substring(at + 1)));
        } else if (!text.isEmpty() && Character.isDigit(text.charAt(0))) {
            number(Long.parseLong(text));
        } else {
            plain(((long) text.length() << 32) ^ text.hashCode());
        }
    }

    private void add(@Nullable Object value) {
        if (value == null) {
            plain(0x6eedL);
        } else if (value instanceof Number number) {
            number(number.longValue());
        } else if (value instanceof String string) {
            text(string);
        } else if (value instanceof Boolean flag) {
            plain(flag ? 1 : 2);
        } else if (value instanceof Enum<?> constant) {
            plain(constant.ordinal() + 3);
        } else if (value instanceof Duration duration) {
            plain(duration.toNanos());
        } else if (value instanceof Instant instant) {
            time(instant.getEpochSecond() * 1_000_000 + instant.getNano() / 1000);
        } else if (value instanceof Iterable<?> elements) {
            int count = 0;
            for (Object element : elements) {
                add(element);
                count++;
            }
            plain(count);
        } else if (value instanceof Optional<?> optional) {
            add(optional.orElse(null));
        } else if (value instanceof Object[] elements) {
            add(Arrays.asList(elements));
        } else if (value instanceof int[] numbers) {
            for (int number : numbers) {
                plain(number);
            }
            plain(numbers.length);
        } else if (value instanceof long[] numbers) {
            for (long number : numbers) {
                number(number);
            }
            plain(numbers.length);
        } else {
            addFields(value);
        }
    }

    private void addFields(Object value) {
        Class<?> type = value.getClass();
        if (!type.getName().startsWith("io.cle.")) {
            throw new IllegalStateException("no fingerprint is known for a " + type.getName());
        }
        plain(type.getName().hashCode());
        try {
            for (Field field : FIELDS.computeIfAbsent(type, Fingerprint::fields)) {
                if (field.getType() == long.class) {
                    number(field.getLong(value));
                } else if (field.getType() == int.class) {
                    plain(field.getInt(value));
                } else if (field.getType() == boolean.class) {
                    plain(field.getBoolean(value) ? 1 : 2);
                } else {
                    add(field.get(value));
                }
            }
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    /** All fields of a class but those that a state says nothing by. */
    private static Field[] fields(Class<?> type) {
        List<Field> fields = new ArrayList<>();
        for (Class<?> part = type; part != Object.class && part != Record.class; part = part.getSuperclass()) {
            for (Field field : part.getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers()) && !Modifier.isTransient(field.getModifiers())) {
                    field.setAccessible(true);
                    fields.add(field);
                }
            }
        }
        return fields.toArray(Field[]::new);
    }
}
