package io.cle.test.exploration;

/** A map from 128-bit fingerprints to small numbers, 34 to 68 bytes per entry. */
final class Fingerprints {

    /** What {@link #get} returns for a fingerprint that isn't there. */
    static final byte ABSENT = Byte.MIN_VALUE;

    private long[] keys = new long[1 << 12];
    private byte[] values = new byte[1 << 11];
    private int size;

    int size() {
        return size;
    }

    byte get(Fingerprint fingerprint) {
        int at = indexOf(keys, fingerprint.high(), fingerprint.low());
        return empty(at) ? ABSENT : values[at];
    }

    /** Returns whether it was absent. */
    boolean put(Fingerprint fingerprint, byte value) {
        if (size * 2L >= values.length) {
            grow();
        }
        int at = indexOf(keys, fingerprint.high(), fingerprint.low());
        boolean absent = empty(at);
        keys[2 * at] = fingerprint.high();
        keys[2 * at + 1] = fingerprint.low();
        values[at] = value;
        size += absent ? 1 : 0;
        return absent;
    }

    private boolean empty(int at) {
        return keys[2 * at] == 0 && keys[2 * at + 1] == 0;
    }

    /** Where it is, or where it would be put. */
    private static int indexOf(long[] keys, long high, long low) {
        int mask = keys.length / 2 - 1;
        int at = (int) high & mask;
        while ((keys[2 * at] != 0 || keys[2 * at + 1] != 0) && (keys[2 * at] != high || keys[2 * at + 1] != low)) {
            at = (at + 1) & mask;
        }
        return at;
    }

    private void grow() {
        long[] formerKeys = keys;
        byte[] formerValues = values;
        keys = new long[2 * formerKeys.length];
        values = new byte[2 * formerValues.length];
        for (int i = 0; i < formerValues.length; i++) {
            long high = formerKeys[2 * i];
            long low = formerKeys[2 * i + 1];
            if (high != 0 || low != 0) {
                int at = indexOf(keys, high, low);
                keys[2 * at] = high;
                keys[2 * at + 1] = low;
                values[at] = formerValues[i];
            }
        }
    }
}
