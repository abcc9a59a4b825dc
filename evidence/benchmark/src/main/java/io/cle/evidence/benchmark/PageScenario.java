package io.cle.evidence.benchmark;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;

import io.cle.ApiFormat;
import io.cle.model.ObjectKey;
import io.cle.test.apiserver.LoopbackPorts;

/**
 * The coordinator's page with thousands of leases, requested like a browser: with all leases, with some, and with these
 * again when the event stream of an open page reports a change.
 */
final class PageScenario implements Scenario {

    private static final int LEASES = 5_000;
    private static final int REPETITIONS = 10;
    private static final double NANOS_PER_MILLI = 1e6;

    private final HttpClient http = HttpClient.newHttpClient();

    /** Each trial would need a separate API server. */
    @Override
    public int trials(Options options) {
        return 1;
    }

    @Override
    public void trial(int number, Lab lab, Results results) throws InterruptedException {
        int port = LoopbackPorts.free();
        lab.startCoordinator(port);
        String page = "http://127.0.0.1:" + port + "/";
        try (FakeCandidates fakes = new FakeCandidates(lab, ApiFormat.CRD)) {
            fakes.watch();
            for (int i = 0; i < LEASES; i++) {
                fakes.announce(new ObjectKey(Lab.NAMESPACE, "lease-" + i), 0);
            }
            fakes.awaitAnnounced();
            fakes.awaitElected(FakeCandidates.leases(LEASES, "lease-"));
            for (int i = 0; i < REPETITIONS; i++) {
                results.add(Line.PAGE_RENDER, millis(page, "lease-"));
                results.add(Line.PAGE_FILTER, millis(page + "?q=lease-49" + i + "9", "lease-49" + i + "9"));
            }
            for (int i = 0; i < REPETITIONS; i++) {
                results.add(Line.PAGE_UPDATE, update(fakes, page, "added-" + i));
            }
        }
    }

    private double millis(String url, String expected) throws InterruptedException {
        long begin = System.nanoTime();
        String body = get(url);
        double millis = (System.nanoTime() - begin) / NANOS_PER_MILLI;
        if (!body.contains(expected)) {
            throw new IllegalStateException(url + " doesn't show " + expected);
        }
        return millis;
    }

    /** Returns the milliseconds from the first observation of a new lease's holder until an event has led to a page that shows the leader. */
    private double update(FakeCandidates fakes, String page, String lease) throws InterruptedException {
        ObjectKey key = new ObjectKey(Lab.NAMESPACE, lease);
        String query = "?q=" + lease;
        HttpRequest stream =
                HttpRequest.newBuilder(URI.create(page + "live" + query)).build();
        try (BufferedReader events = new BufferedReader(new InputStreamReader(
                http.send(stream, HttpResponse.BodyHandlers.ofInputStream()).body(), StandardCharsets.UTF_8))) {
            fakes.announce(key, 0);
            for (String line = events.readLine(); line != null; line = events.readLine()) {
                if (line.startsWith("event:changed") && get(page + query).contains("class=\"leader\">" + lease)) {
                    long seen = System.nanoTime();
                    long elected = fakes.awaitElected(List.of(key))[0];
                    return Math.max(0, seen - elected) / NANOS_PER_MILLI;
                }
            }
            throw new IllegalStateException("the event stream has ended");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String get(String url) throws InterruptedException {
        try {
            return http.send(HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.ofString())
                    .body();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
