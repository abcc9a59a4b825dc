package io.cle.evidence.peers.measure;

import java.time.Duration;
import java.util.List;

import io.cle.evidence.peers.measure.Measurement.Quality;
import io.cle.evidence.process.UnixTime;

/**
 * All leaders are cut off from the API server, Spring Integration's from its database: nothing is let through any more, without a word to either
 * side, as when a network is partitioned. Their standbys go on to reach it.
 */
final class CutOff implements Scenario {

    private static final Duration OBSERVED = Duration.ofSeconds(45);

    @Override
    public void trial(int trial, Arena arena, Results results) throws InterruptedException {
        List<Pair> pairs = Pair.ofAll("cutoff", trial, arena, results, Row.CUT_NONE, Row.CUT_TWO);
        var cut = Pair.attack(pairs, pair -> {
            pair.leader().proxy().stall(true);
            return UnixTime.now();
        });
        Arena.comes(() -> pairs.stream().allMatch(Pair::handedOver), OBSERVED);
        long end = UnixTime.now();
        cut.forEach((pair, since) -> {
            Led led = pair.led(since, end);
            add(Row.CUT_NONE, pair, trial, led.noneMillis(), led.atTheEnd() == 0, results);
            add(Row.CUT_TWO, pair, trial, led.severalMillis(), led.atTheEnd() > 1, results);
        });
        arena.endAll();
    }

    private static void add(Row row, Pair pair, int trial, double millis, boolean goesOn, Results results) {
        Quality quality = goesOn ? Quality.AT_LEAST : Quality.EXACT;
        results.add(new Measurement(row, pair.contestant(), trial, millis / 1000, quality));
    }
}
