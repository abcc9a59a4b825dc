package io.cle.samples.upgrade;

import java.util.OptionalLong;

/**
 * A term as its leader recorded it. Times are in nanoseconds since the demo began.
 *
 * @param replica the leader
 * @param version its version
 * @param token the fencing token
 * @param from when it was granted
 * @param to when it was revoked, or its leader was killed; empty while it lasts
 * @param end how it ended; empty while it lasts
 */
record RecordedTerm(String replica, String version, long token, long from, OptionalLong to, String end) {

    boolean open() {
        return to.isEmpty();
    }

    RecordedTerm ended(long time, String how) {
        return new RecordedTerm(replica, version, token, from, OptionalLong.of(time), how);
    }
}
