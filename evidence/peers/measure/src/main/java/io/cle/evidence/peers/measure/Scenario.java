package io.cle.evidence.peers.measure;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

import io.cle.evidence.process.Pause;

/** Something that is tried, and from which some rows of the table come. */
interface Scenario {

    /** What is tried, in this order. */
    enum Kind {
        /** One comes, another one comes, the leader leaves: each contestant in its turn, alone on the machine. */
        HANDOVER(new Handover()),
        /** All leaders are killed, each at another moment. */
        KILL(new Kill()),
        /** All leaders are cut off from their servers. */
        CUTOFF(new CutOff()),
        /** The servers are down for 30 s. */
        OUTAGE(new Outage()),
        /** Nothing happens to ten candidates for a minute: each contestant in its turn, once. */
        REST(new Rest());

        private final Scenario scenario;

        Kind(Scenario scenario) {
            this.scenario = scenario;
        }

        Scenario scenario() {
            return scenario;
        }
    }

    /** Tries it once. */
    void trial(int trial, Arena arena, Results results) throws InterruptedException;

    /** How often it is worth trying. */
    default int trials(Options options) {
        return options.trials();
    }

    /** Takes note that something went wrong, and which rows are lost by it. */
    static void lost(Contestant contestant, int trial, Results results, RuntimeException reason, Row... rows) {
        System.err.println(contestant + ", trial " + trial + ": lost: " + reason);
        results.lost(contestant, trial, rows);
    }

    /** Lets a time pass, and up to so much more: what renews or polls every two seconds is met at another point of them each time. */
    static void pause(Duration least, Duration more) throws InterruptedException {
        Pause.of(least.plusMillis(ThreadLocalRandom.current().nextLong(more.toMillis())));
    }
}
