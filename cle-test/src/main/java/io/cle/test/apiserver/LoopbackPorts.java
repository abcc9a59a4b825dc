package io.cle.test.apiserver;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Chooses loopback ports for servers that are started later or restarted. They are below 32768, where the system's
 * ephemeral ports begin. Otherwise a connection could take the port of a server that isn't up yet, or is restarting; a
 * client that keeps retrying could even connect to itself.
 */
public final class LoopbackPorts {

    private static final int LOWEST = 15_000;
    private static final int ABOVE_HIGHEST = 32_000;
    private static final int ATTEMPTS = 1_000;

    /** Ports already chosen by this process; their servers may not be listening yet. */
    private static final Set<Integer> CHOSEN = ConcurrentHashMap.newKeySet();

    private LoopbackPorts() {}

    /**
     * Returns an unused port, chosen at random so that parallel builds choose different ones.
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
            throw new IllegalStateException("cannot check whether port " + port + " is free", e);
        }
    }
}
