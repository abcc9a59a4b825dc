package io.cle.test.exploration;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

import io.cle.model.internal.Lease;
import org.jspecify.annotations.Nullable;

/**
 * The values that a part of a state consists of, in order, each with its kind. A number's magnitude shows its kind, because clocks and versions
 * begin at numbers of their own ({@link Clocks}). Values are found by reflection, so no class of a state needs support.
 */
@SuppressWarnings("EnumOrdinal") // fingerprints of one program are compared with each other alone
final class Tokens {

    /** Hashed as it is. */
    static final byte PLAIN = 0;
    /** A version: hashed by its order. */
    static final byte VERSION = 1;
    /** The index of a process. */
    static final byte PROCESS = 2;
    /** The nonce of a process or the id of a write: hashed by which ones are equal. */
    static final byte NAME = 3;
    /** A monotonic instant; this and the index of the clock. */
    static final byte INSTANT = 16;
    /** A time of a wall clock; this and the index of the clock. */
    static final byte TIME = 32;

    private static final ClassValue<Field[]> FIELDS = new ClassValue<>() {
        @Override
        protected Field[] computeValue(Class<?> type) {
            return fields(type);
        }
    };
    private static final int MICROS = 1_000_000;

    private final Clocks clocks;
    private long[] values = new long[64];
    private byte[] kinds = new byte[64];
    private int size;

    /** The hash of the plain values added since the last value of another kind. */
    private long plainHigh = 0x9E3779B97F4A7C15L;

    private long plainLow = 0xC2B2AE3D27D4EB4FL;
    private boolean plainPending;

    Tokens(Clocks clocks) {
        this.clocks = clocks;
    }

    /** The tokens of a part of a state. */
    static Tokens of(@Nullable Object part, Clocks clocks) {
        Tokens tokens = new Tokens(clocks);
        tokens.add(part);
        return tokens;
    }

    int size() {
        endPlain();
        return size;
    }

    long value(int index) {
        return values[index];
    }

    byte kind(int index) {
        return kinds[index];
    }

    private void put(byte kind, long value) {
        endPlain();
        append(kind, value);
    }

    private void append(byte kind, long value) {
        if (size == values.length) {
            values = Arrays.copyOf(values, 2 * size);
            kinds = Arrays.copyOf(kinds, 2 * size);
        }
        values[size] = value;
        kinds[size++] = kind;
    }

    void plain(long value) {
        plainPending = true;
        plainHigh = (plainHigh ^ value) * 0xFF51AFD7ED558CCDL;
        plainHigh ^= plainHigh >>> 29;
        plainLow = (Long.rotateLeft(plainLow, 23) + value) * 0x9FB21C651E98DF25L;
        plainLow ^= plainLow >>> 32;
    }

    private void endPlain() {
        if (plainPending) {
            plainPending = false;
            append(PLAIN, plainHigh);
            append(PLAIN, plainLow);
        }
    }

    void process(int index) {
        put(PROCESS, index);
    }

    void number(long value) {
        if (Clocks.isVersion(value)) {
            put(VERSION, value);
            return;
        }
        int clock = clocks.clockOf(value);
        if (clock < 0) {
            plain(value);
        } else {
            put((byte) (INSTANT + clock), value);
        }
    }

    private void time(long micros) {
        if (Clocks.isVersion(micros / MICROS)) {
            put(VERSION, micros / MICROS);
            plain(micros % MICROS);
            return;
        }
        put((byte) (TIME + clocks.wallClockOf(micros)), micros);
    }

    private void text(String text) {
        int dot = text.indexOf('.');
        if (dot >= 0) {
            // The id of a term: the nonce of its process, and the id of the write that began it.
            text(text.substring(0, dot));
            text(text.substring(dot + 1));
        } else if (Setting.isName(text)) {
            put(NAME, ((long) text.length() << 32) ^ text.hashCode());
        } else if (Setting.isIdentity(text)) {
            process(text.charAt(0) - 'a');
        } else if (!text.isEmpty() && Character.isDigit(text.charAt(0))) {
            number(Long.parseLong(text));
        } else {
            hash(text);
        }
    }

    private void hash(String text) {
        plain(((long) text.length() << 32) ^ text.hashCode());
    }

    void add(@Nullable Object value) {
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
            time(instant.getEpochSecond() * MICROS + instant.getNano() / 1000);
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
        } else if (value instanceof long[] numbers) {
            for (long number : numbers) {
                number(number);
            }
            plain(numbers.length);
        } else if (value instanceof Lease) {
            append(clocks.known().tokens(value, clocks));
        } else {
            addFields(value);
        }
    }

    private void append(Tokens other) {
        endPlain();
        int end = size + other.size();
        if (end > values.length) {
            values = Arrays.copyOf(values, 2 * end);
            kinds = Arrays.copyOf(kinds, 2 * end);
        }
        System.arraycopy(other.values, 0, values, size, other.size);
        System.arraycopy(other.kinds, 0, kinds, size, other.size);
        size = end;
    }

    /** The tokens of recent records: each is part of many states, and never changes. */
    static final class Known {
        private static final int SIZE = 1 << 12;

        private final @Nullable Object[] records = new Object[SIZE];
        private final @Nullable Tokens[] tokens = new Tokens[SIZE];

        Tokens tokens(Object value, Clocks clocks) {
            int at = System.identityHashCode(value) & (SIZE - 1);
            Tokens known = tokens[at];
            if (known == null || records[at] != value) {
                known = new Tokens(clocks);
                known.addFields(value);
                records[at] = value;
                tokens[at] = known;
            }
            return known;
        }
    }

    private void addFields(Object value) {
        Class<?> type = value.getClass();
        if (!type.getName().startsWith("io.cle.")) {
            throw new IllegalStateException("no fingerprint is known for a " + type.getName());
        }
        plain(type.getName().hashCode());
        try {
            for (Field field : FIELDS.get(type)) {
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

    /** All fields of a class that are neither static nor transient. */
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
