package io.cle.evidence.benchmark;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import io.cle.evidence.process.Contender;
import io.cle.evidence.process.Event;
import io.cle.evidence.process.Pause;
import io.cle.evidence.process.Proxy;
import io.cle.evidence.process.UnixTime;
import io.cle.test.apiserver.real.RealControlPlane;

/**
 * Two kube-apiservers behind a load balancer are killed and restarted, one after the other; then both are down for half
 * a minute. Meanwhile a coordinator elects among three replicas.
 */
final class ControlPlaneScenario implements Scenario {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** Longer than the lease duration, so that a leader that can't renew loses its lease. */
    private static final Duration BETWEEN_RESTARTS = Duration.ofSeconds(20);

    private static final Duration OUTAGE = Duration.ofSeconds(30);

    @Override
    public int trials(Options options) {
        return Math.min(options.trials(), 3);
    }

    @Override
    public void trial(int number, Lab lab, Results results) throws InterruptedException {
        try (RealControlPlane controlPlane = RealControlPlane.start(RealControlPlane.Wiring.DIRECT);
                Proxy balancer = new Proxy(Proxy.RouteBy.BACKEND, ports(controlPlane))) {
            controlPlane.api(0).post("/api/v1/namespaces", Lab.parse("""
                    {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "%s"}}""".formatted(Lab.NAMESPACE)));
            Map<String, String> environment = Map.of("KUBECONFIG", kubeconfig(controlPlane, balancer));
            Contender coordinator = lab.coordinator(environment);
            List<Contender> replicas = List.of(
                    lab.ours(environment, "restarts", "a", "1.0.0"),
                    lab.ours(environment, "restarts", "b", "1.0.0"),
                    lab.ours(environment, "restarts", "c", "1.0.0"));
            firstGrant(replicas, 0);
            for (Contender replica : replicas) {
                replica.await("boot", PATIENCE);
            }
            Pause.of(BETWEEN_RESTARTS);

            long begin = UnixTime.now();
            for (int server = 0; server < RealControlPlane.API_SERVERS; server++) {
                controlPlane.stopApiServer(server);
                controlPlane.startApiServer(server);
                Pause.of(BETWEEN_RESTARTS);
            }
            results.add(Line.ROLLING_RESTART, withoutALeader(replicas, begin, UnixTime.now()));

            long away = UnixTime.now();
            for (int server = 0; server < RealControlPlane.API_SERVERS; server++) {
                controlPlane.stopApiServer(server);
            }
            Pause.of(OUTAGE);
            controlPlane.startApiServer(0);
            long back = UnixTime.now();
            results.add(
                    Line.AFTER_OUTAGE,
                    Math.max(0, firstGrant(replicas, away).millisSince(back))); // it may lead before readiness is seen
            List<Contender> all = new ArrayList<>(replicas);
            all.add(coordinator);
            lab.end(all.toArray(Contender[]::new));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<Integer> ports(RealControlPlane controlPlane) {
        return IntStream.range(0, RealControlPlane.API_SERVERS)
                .mapToObj(i -> controlPlane.uri(i).getPort())
                .toList();
    }

    private static String kubeconfig(RealControlPlane controlPlane, Proxy balancer) throws IOException {
        Path balanced = controlPlane.kubeconfig().resolveSibling("balanced.kubeconfig");
        String direct = Files.readString(controlPlane.kubeconfig());
        Files.writeString(
                balanced, direct.replace(controlPlane.uri(0).toString(), "https://127.0.0.1:" + balancer.port()));
        return balanced.toString();
    }

    /** Returns for how many milliseconds no replica led between two instants. */
    private static double withoutALeader(List<Contender> replicas, long begin, long end) {
        List<Event> changes = replicas.stream()
                .flatMap(replica -> replica.events().stream())
                .filter(event -> !event.what().equals("boot") && event.nanos() < end)
                .sorted(Comparator.comparingLong(Event::nanos))
                .toList();
        long without = 0;
        long since = begin;
        int leaders = 0;
        for (Event change : changes) {
            long at = Math.max(begin, change.nanos());
            without += leaders == 0 ? at - since : 0;
            since = at;
            leaders += change.what().equals("granted") ? 1 : -1;
        }
        return (without + (leaders == 0 ? end - since : 0)) / 1e6;
    }

    private static Event firstGrant(List<Contender> replicas, long since) throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (System.nanoTime() - deadline < 0) {
            for (Contender replica : replicas) {
                for (Event event : replica.events()) {
                    if (event.what().equals("granted") && event.nanos() >= since) {
                        return event;
                    }
                }
            }
            Pause.of(Duration.ofMillis(10));
        }
        throw new IllegalStateException("no replica leads within " + PATIENCE);
    }
}
