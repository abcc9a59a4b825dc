package io.cle.samples.chaos;

import java.time.Duration;
import java.util.Set;

/** What is done to a process or to the API server, and for how long at most. */
enum Fault {
    KILL("killed, and started again under another name", 4),
    STOP("stopped and continued", 9),
    CUT("connections cut", 0),
    REFUSE("connections refused", 8),
    STALL("connections silent", 9),
    STRAND("connections accepted, and then left alone for good", 4),
    SLOW("connections slowed by up to 400 ms a piece", 6),
    TERMINATE("terminated, and started again", 3),
    API_SERVER("kube-apiserver killed and started again", 5),
    ETCD("etcd killed and started again", 3),
    COMPACT("history compacted", 0);

    private static final Set<Fault> OF_ALL = Set.of(API_SERVER, ETCD, COMPACT);

    private final String text;
    private final Duration longest;

    Fault(String text, int longestSeconds) {
        this.text = text;
        this.longest = Duration.ofSeconds(longestSeconds);
    }

    String text() {
        return text;
    }

    Duration longest() {
        return longest;
    }

    /** Whether it is done to one process, rather than to all. */
    boolean ofProcess() {
        return !OF_ALL.contains(this);
    }
}
