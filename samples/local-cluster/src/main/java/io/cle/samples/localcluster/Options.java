package io.cle.samples.localcluster;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * The command line's options.
 *
 * @param port the port of the API server; 0 for a free port
 * @param electionsPort the port of the page with the elections; 0 for a free port
 * @param nativeFormat whether the API server also serves the native format, as newer ones can
 */
record Options(int port, int electionsPort, boolean nativeFormat) {

    static final String USAGE = """
            usage: java -jar local-cluster.jar [--port <port>] [--elections-port <port>] [--native]

              --port             where the API server listens on 127.0.0.1; 8001 by default, 0 for a free port
              --elections-port   where the page with the elections is; the port after it by default
              --native           serve coordination.k8s.io/v1beta1 LeaseCandidates, too, as newer API servers can
            """;

    private static final int DEFAULT_PORT = 8001;
    private static final int HIGHEST_PORT = 65535;

    /**
     * Parses {@code --name value} and {@code --name=value}.
     *
     * @throws IllegalArgumentException with a message for the user, if an argument is invalid
     */
    static Options parse(String... arguments) {
        int port = DEFAULT_PORT;
        int electionsPort = -1;
        boolean nativeFormat = false;
        Deque<String> rest =
                new ArrayDeque<>(List.of(String.join("=", arguments).split("=")));
        while (!rest.isEmpty() && !rest.peek().isEmpty()) {
            String name = rest.remove();
            switch (name) {
                case "--port" -> port = port(name, rest);
                case "--elections-port" -> electionsPort = port(name, rest);
                case "--native" -> nativeFormat = true;
                default -> throw new IllegalArgumentException("'" + name + "' is not understood");
            }
        }
        if (electionsPort < 0) {
            electionsPort = port == 0 || port == HIGHEST_PORT ? 0 : port + 1;
        }
        return new Options(port, electionsPort, nativeFormat);
    }

    private static int port(String name, Deque<String> rest) {
        String value = rest.isEmpty() ? "" : rest.remove();
        if (!value.matches("\\d{1,5}") || Integer.parseInt(value) > HIGHEST_PORT) {
            throw new IllegalArgumentException(
                    name + " must be a port from 0 to " + HIGHEST_PORT + " and is '" + value + "'");
        }
        return Integer.parseInt(value);
    }
}
