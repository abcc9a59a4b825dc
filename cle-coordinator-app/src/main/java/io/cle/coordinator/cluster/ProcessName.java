package io.cle.coordinator.cluster;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.random.RandomGenerator;

/** Names of this process that no other has. */
public final class ProcessName {

    private static final String LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789";
    private static final int SUFFIX = 5;

    private ProcessName() {}

    /** The host name, in a pod that is the pod's, and five random characters. */
    public static String identity(RandomGenerator random) {
        return host() + "-" + characters(random, SUFFIX);
    }

    private static String host() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            // A host that can't resolve its own name has one all the same, and the suffix tells processes apart.
            return "coordinator";
        }
    }

    private static String characters(RandomGenerator random, int count) {
        StringBuilder text = new StringBuilder(count);
        random.ints(count, 0, LETTERS.length()).forEach(index -> text.append(LETTERS.charAt(index)));
        return text.toString();
    }
}
