package io.cle.test.direct;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import io.cle.ResourceLock;
import io.cle.Timings;

/** Runs a scenario for every kind of record concurrently, because electors mostly wait. */
final class EveryKind {

    private static final List<ResourceLock> KINDS =
            List.of(ResourceLock.LEASES, ResourceLock.ENDPOINTS, ResourceLock.CONFIGMAPS);

    private EveryKind() {}

    /** A test on one record. */
    @FunctionalInterface
    interface Scenario {
        void play(Stage stage, ResourceLock kind);
    }

    /**
     * Runs a scenario; fails if it fails or if two led at the same instant.
     *
     * @param timings of our electors
     */
    static void play(Server server, Timings timings, Scenario scenario) throws Exception {
        play(server, timings, KINDS, scenario);
    }

    /** Like {@link #play(Server, Timings, Scenario)}, for some kinds. */
    static void play(Server server, Timings timings, List<ResourceLock> kinds, Scenario scenario) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(kinds.size());
        try {
            List<Future<?>> played = new ArrayList<>();
            for (ResourceLock kind : kinds) {
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
