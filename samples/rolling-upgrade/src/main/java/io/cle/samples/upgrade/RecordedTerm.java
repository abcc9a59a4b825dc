package io.cle.samples.upgrade;

import java.util.OptionalLong;

/**
 * One time of leading, as its leader recorded it. Times are nanoseconds since the demo began.
 *
 * @param replica who led
 * @param version its version
 * @param token the fencing token
 * @param from when it was granted
 * @param to when it was revoked, or its leader was killed; empty while it goes on
 * @param end how it ended; empty while it goes on
 */
record RecordedTerm(String replica, String version, long token, long from, OptionalLong to, String end) {

    boolean open() {
        return to.isEmpty();
    }

    RecordedTerm ended(long time, String how) {
        return new RecordedTerm(replica, version, token, from, OptionalLong.of(time), how);
    }
}
