package io.cle.evidence.peers.measure;

import java.time.Duration;
import java.util.List;

import io.cle.evidence.peers.measure.Measurement.Quality;
import io.cle.evidence.process.Pause;
import io.cle.evidence.process.UnixTime;

/** The API server is down for 30 s, and so is Spring Integration's database: how long no process leads after it answers again. */
final class Outage implements Scenario {

    private static final Duration DOWN = Duration.ofSeconds(30);

    @Override
    public void trial(int trial, Arena arena, Results results) throws InterruptedException {
        List<Pair> pairs = Pair.ofAll("outage", trial, arena, results, Row.OUTAGE);
        arena.stopServers();
        Pause.of(DOWN);
        long apiServer = arena.startApiServer();
        arena.startDatabase();
        long database = UnixTime.now();
        for (Pair pair : pairs) {
            boolean led =
                    Arena.comes(() -> pair.leader().leads() || pair.standby().leads(), Arena.PATIENCE);
            long back = pair.contestant().needsDatabase() ? database : apiServer;
            double none = pair.led(back, UnixTime.now()).noneMillis();
            Quality quality = led ? Quality.EXACT : Quality.AT_LEAST;
            results.add(new Measurement(Row.OUTAGE, pair.contestant(), trial, none, quality));
        }
        arena.endAll();
    }
}
