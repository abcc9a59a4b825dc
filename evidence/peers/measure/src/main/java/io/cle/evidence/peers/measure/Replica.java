package io.cle.evidence.peers.measure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.cle.evidence.process.Contender;
import io.cle.evidence.process.Event;
import io.cle.evidence.process.Proxy;

/**
 * A process of a contestant with the proxy by which it reaches its server.
 *
 * @param log where its standard error goes
 */
record Replica(Contender process, Proxy proxy, Path log) {

    private static final Pattern STARTED = Pattern.compile("Started \\w+ in .* \\(process running for ([0-9.]+)\\)");

    /** Whether it leads, by what it has printed. */
    boolean leads() {
        List<Event> events = process.events();
        for (int i = events.size() - 1; i >= 0; i--) {
            String what = events.get(i).what();
            if (what.equals("granted") || what.equals("revoked")) {
                return what.equals("granted");
            }
        }
        return false;
    }

    /** How long Spring Boot says that the process took to be ready, in milliseconds; empty while it isn't. */
    Optional<Double> startMillis() {
        try {
            Matcher started = STARTED.matcher(Files.readString(log));
            return started.find() ? Optional.of(Double.parseDouble(started.group(1)) * 1000) : Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Ends both at once: nothing is released. */
    void kill() {
        process.kill();
        process.close();
        try {
            proxy.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
