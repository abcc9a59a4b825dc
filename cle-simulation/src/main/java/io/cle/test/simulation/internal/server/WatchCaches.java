package io.cle.test.simulation.internal.server;

import java.util.SplittableRandom;
import java.util.TreeMap;

import io.cle.test.simulation.internal.process.VirtualTime;

/**
 * The watch caches of several API servers with one etcd. Each cache follows etcd with a lag of its own, which may change; it never goes back. Writes
 * and quorum reads go to etcd, watches and lists with {@code resourceVersion=0} are served from a cache.
 */
public final class WatchCaches {

    private static final long MOST = 8_000_000_000L;

    private final VirtualTime time;
    private final SplittableRandom random;
    private final TreeMap<Long, Long> writtenAt = new TreeMap<>();
    private final long[] lags = new long[2];

    /** Two caches that don't lag yet, of servers with nothing written. */
    WatchCaches(VirtualTime time, SplittableRandom random) {
        this.time = time;
        this.random = random;
    }

    /** Takes note that etcd has come to a version. */
    void written(long version) {
        writtenAt.putIfAbsent(version, time.now());
    }

    /** One of the servers, as a load balancer chooses it. */
    int someServer() {
        return random.nextInt(lags.length);
    }

    /** A server's cache lags by something else from now on; seldom by more than the time after which a watch is found out to lag. */
    public int changeLag() {
        int server = someServer();
        lags[server] = random.nextInt(3) == 0 ? 0 : random.nextLong(random.nextInt(3) == 0 ? MOST : MOST / 4);
        return server;
    }

    /** No cache lags any more. */
    public void catchUp() {
        lags[0] = 0;
        lags[1] = 0;
    }

    /** By how many nanoseconds a server's cache lags. */
    public long lag(int server) {
        return lags[server];
    }

    /** How long it takes from now on until a version is in a server's cache, in nanoseconds. */
    long until(int server, long version) {
        var written = writtenAt.ceilingEntry(version);
        // An event from inside a write is being written now.
        return written == null ? lags[server] : Math.max(0, written.getValue() + lags[server] - time.now());
    }

    /** The newest version in a server's cache; 0 when there is none. */
    long newest(int server) {
        long newest = 0;
        for (var written : writtenAt.entrySet()) {
            if (written.getValue() + lags[server] > time.now()) {
                break;
            }
            newest = written.getKey();
        }
        return newest;
    }
}
