package io.cle.evidence.peers.measure;

import java.time.Duration;
import java.util.List;

import io.cle.evidence.peers.measure.Measurement.Quality;
import io.cle.evidence.process.Pause;
import io.cle.evidence.process.UnixTime;

/**
 * The API server is down for 30 s, and so is Spring Integration's database: for how long a process leads meanwhile though its lease has expired, and
 * for how long none leads after the server answers again.
 */
final class Outage implements Scenario {

    private static final Duration DOWN = Duration.ofSeconds(30);
    private static final Duration LEASE = Duration.ofSeconds(15);
    // What has led on without a lease notices now, and its gap counts, too.
    private static final Duration NOTICED = Duration.ofSeconds(5);

    @Override
    public void trial(int trial, Arena arena, Results results) throws InterruptedException {
        List<Pair> pairs = Pair.ofAll("outage", trial, arena, results, Row.OUTAGE, Row.OUTAGE_EXPIRED);
        arena.stopServers();
        long expired = UnixTime.now() + LEASE.toNanos();
        Pause.of(DOWN);
        long apiServer = arena.startApiServer();
        arena.startDatabase();
        long database = UnixTime.now();
        Pause.of(NOTICED);
        for (Pair pair : pairs) {
            boolean led =
                    Arena.comes(() -> pair.leader().leads() || pair.standby().leads(), Arena.PATIENCE);
            Quality quality = led ? Quality.EXACT : Quality.AT_LEAST;
            long back = pair.contestant().needsDatabase() ? database : apiServer;
            double none = pair.led(back, UnixTime.now()).noneMillis();
            results.add(new Measurement(Row.OUTAGE, pair.contestant(), trial, none, quality));
            double down = (back - expired) / 1e6 - pair.led(expired, back).noneMillis();
            results.add(Row.OUTAGE_EXPIRED, pair.contestant(), trial, down / 1000);
        }
        arena.endAll();
    }
}
