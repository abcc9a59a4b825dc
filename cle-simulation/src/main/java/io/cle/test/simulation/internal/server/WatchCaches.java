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

    /** Records that etcd has reached a version. */
    void written(long version) {
        writtenAt.putIfAbsent(version, time.now());
    }

    /** One of the servers, as a load balancer chooses it. */
    int someServer() {
        return random.nextInt(lags.length);
    }

    /** Changes the lag of some server's cache; seldom to more than the time after which a lagging watch is detected. */
    public int changeLag() {
        int server = someServer();
        lags[server] = random.nextInt(3) == 0 ? 0 : random.nextLong(random.nextInt(3) == 0 ? MOST : MOST / 4);
        return server;
    }

    /** Ends all lags. */
    public void catchUp() {
        lags[0] = 0;
        lags[1] = 0;
    }

    /** The lag of a server's cache in nanoseconds. */
    public long lag(int server) {
        return lags[server];
    }

    /** How long until a version is in a server's cache, in nanoseconds. */
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
