package io.cle.test.direct;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import io.cle.kubernetes.internal.store.DirectLock;
import io.cle.model.Timings;

/** Plays a scenario for every kind of record, side by side, as electors wait most of their time. */
final class EveryKind {

    private static final List<DirectLock> KINDS =
            List.of(DirectLock.LEASES, DirectLock.ENDPOINTS, DirectLock.CONFIGMAPS);

    private EveryKind() {}

    /** What happens to one record. */
    @FunctionalInterface
    interface Scenario {
        void play(Stage stage, DirectLock kind);
    }

    /**
     * Plays it, and fails where it fails or two led at an instant.
     *
     * @param timings of our electors
     */
    static void play(Server server, Timings timings, Scenario scenario) throws Exception {
        play(server, timings, KINDS, scenario);
    }

    /** The same, for some kinds. */
    static void play(Server server, Timings timings, List<DirectLock> kinds, Scenario scenario) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(kinds.size());
        try {
            List<Future<?>> played = new ArrayList<>();
            for (DirectLock kind : kinds) {
                played.add(threads.submit(() -> {
                    try (Stage stage = new Stage(server, timings)) {
                        scenario.play(stage, kind);
                        stage.assertNoOverlap();
                    }
                    return null;
                }));
            }
            for (Future<?> one : played) {
                one.get(4, TimeUnit.MINUTES);
            }
        } finally {
            threads.shutdownNow();
        }
    }
}
