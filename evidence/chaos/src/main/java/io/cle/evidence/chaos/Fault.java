package io.cle.evidence.chaos;

import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/** A fault of a process or of the control plane, with its longest duration and its relative frequency. */
enum Fault {
    KILL("a process is killed, and started again under another name", Target.PROCESS, 4, 6),
    TERMINATE("a process is terminated, and started again", Target.PROCESS, 3, 6),
    STOP("a process is stopped and continued", Target.PROCESS, 9, 6),
    CLOCK("the wall clock of a process is stepped, by half an hour at most", Target.PROCESS, 0, 6),
    CUT("the connections of a process are cut", Target.PROCESS, 0, 6),
    REFUSE("… refused", Target.PROCESS, 8, 6),
    STALL("… silent", Target.PROCESS, 9, 6),
    STRAND("… accepted, and then left alone for good", Target.PROCESS, 4, 6),
    SLOW("… slowed by up to 400 ms a piece", Target.PROCESS, 6, 6),
    CUT_FROM_ONE("a process is cut from one kube-apiserver, but not from the other", Target.PROCESS, 9, 6),
    DIED("a process has ended by itself", Target.PROCESS, 0, 0),
    API_SERVER("a kube-apiserver is killed and started again", Target.CONTROL_PLANE, 5, 6),
    API_FROM_ETCD("a kube-apiserver is cut from etcd", Target.CONTROL_PLANE, 12, 6),
    MEMBER("an etcd member is killed and started again", Target.CONTROL_PLANE, 5, 6),
    ISOLATE("an etcd member is cut from both others", Target.CONTROL_PLANE, 12, 6),
    PART("two etcd members are cut from each other, but not from the third", Target.CONTROL_PLANE, 12, 6),
    COMPACT("etcd's history is compacted", Target.CONTROL_PLANE, 0, 3),
    ETCD("all of etcd is killed and started again; a backup is taken", Target.CONTROL_PLANE, 3, 3),
    RESTORE("etcd is restored from that backup, without --bump-revision", Target.CONTROL_PLANE, 2, 1);

    /** The target of a fault. */
    enum Target {
        PROCESS,
        CONTROL_PLANE
    }

    private final String text;
    private final Target target;
    private final Duration longest;
    private final int weight;

    Fault(String text, Target target, int longestSeconds, int weight) {
        this.text = text;
        this.target = target;
        this.longest = Duration.ofSeconds(longestSeconds);
        this.weight = weight;
    }

    String text() {
        return text;
    }

    Duration longest() {
        return longest;
    }

    /** Whether there is no control plane during the fault. */
    boolean isOutage() {
        return this == ETCD || this == RESTORE;
    }

    /** Returns the faults of a kind of target, each as often as its weight. */
    static List<Fault> drawnFor(Target target) {
        return Arrays.stream(values())
                .filter(fault -> fault.target == target)
                .flatMap(fault -> Collections.nCopies(fault.weight, fault).stream())
                .toList();
    }
}
