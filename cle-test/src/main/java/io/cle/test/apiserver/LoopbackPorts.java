package io.cle.test.apiserver;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports of the loopback interface for servers that are started later, or stopped and started again. The system never gives one of them away: it
 * takes the ports of connections, and of listeners that ask for any port, from 32768 upwards. Otherwise a connection could take the port of a
 * server that isn't up yet, or just down; a client that tries again and again to reach it could even connect to itself.
 */
public final class LoopbackPorts {

    private static final int LOWEST = 15_000;
    private static final int ABOVE_HIGHEST = 32_000;
    private static final int ATTEMPTS = 1_000;

    /** Those of this process, each of which is chosen once: it may not be listened on yet. */
    private static final Set<Integer> CHOSEN = ConcurrentHashMap.newKeySet();

    private LoopbackPorts() {}

    /**
     * A port that no process listens on, chosen at random, so that builds beside each other choose different ones.
     *
     * @throws IllegalStateException if none is found
     */
    public static int free() {
        for (int i = 0; i < ATTEMPTS; i++) {
            int port = ThreadLocalRandom.current().nextInt(LOWEST, ABOVE_HIGHEST);
            if (CHOSEN.add(port) && isFree(port)) {
                return port;
            }
        }
        throw new IllegalStateException(
                "no free port was found between " + LOWEST + " and " + ABOVE_HIGHEST + " in " + ATTEMPTS + " attempts");
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (BindException taken) {
            return false;
        } catch (IOException e) {
            throw new IllegalStateException("whether port " + port + " is free can't be found out", e);
        }
    }
}
