package io.cle.spring;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;

import io.cle.kubernetes.KubernetesAccess;
import io.cle.spring.onleader.OnLeader;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** KEP-2436's walk-through, there and back: a controller moves between two components, and never runs in both. */
abstract class LeaderMigrationContract {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** The bound of docs/leader-migration.md for an orderly hand-over: nothing waits for an expiry, which is at least 12 s away. */
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

    private static final List<Class<?>> ALL = List.of(Route.class, NodeIpam.class);
    private static final List<Class<?>> NODE_IPAM_ONLY = List.of(NodeIpam.class);
    private static final List<Class<?>> ROUTE_ONLY = List.of(Route.class);

    private final String suffix = UUID.randomUUID().toString().substring(0, 8);
    private final Board board = new Board();

    @TempDir
    private Path folder;

    abstract KubernetesAccess access();

    /** Records which replica runs which controller: each signs on with its first and off with its last instruction. */
    static final class Board {
        private final Map<String, String> running = new TreeMap<>();
        private final Map<String, Long> idleSince = new TreeMap<>();
        private final List<String> overlaps = new ArrayList<>();
        private final Map<String, Duration> pauses = new LinkedHashMap<>();

        synchronized void signOn(String controller, String replica) {
            String other = running.put(controller, replica);
            if (other != null) {
                overlaps.add(controller + " begins in " + replica + " while it runs in " + other);
            }
            Long since = idleSince.remove(controller);
            if (since != null) {
                pauses.put(controller + " before " + replica, Duration.ofNanos(System.nanoTime() - since));
            }
        }

        synchronized void signOff(String controller, String replica) {
            running.remove(controller, replica);
            idleSince.put(controller, System.nanoTime());
        }

        synchronized Map<String, String> running() {
            return Map.copyOf(running);
        }

        synchronized List<String> overlaps() {
            return List.copyOf(overlaps);
        }

        /**
         * Returns how long each controller ran nowhere, keyed by the controller and the replica that started it next.
         */
        synchronized Map<String, Duration> pauses() {
            return Map.copyOf(pauses);
        }

        void run(String controller, String replica) {
            signOn(controller, replica);
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException revoked) {
                Thread.currentThread().interrupt();
            } finally {
                signOff(controller, replica);
            }
        }
    }

    /** The controller that moves. */
    static class Route {
        private final Board board;
        private final String replica;

        Route(Board board, String replica) {
            this.board = board;
            this.replica = replica;
        }

        @OnLeader(controller = "route")
        void run() {
            board.run("route", replica);
        }
    }

    /** The controller that stays. */
    static class NodeIpam {
        private final Board board;
        private final String replica;

        NodeIpam(Board board, String replica) {
            this.board = board;
            this.replica = replica;
        }

        @OnLeader(controller = "nodeipam")
        void run() {
            board.run("nodeipam", replica);
        }
    }

    private String component(String name) {
        return "--spring.application.name=" + name + "-" + suffix;
    }

    private void expect(String routeIn, String nodeIpamIn) {
        Awaitility.await("route in " + routeIn + ", nodeipam in " + nodeIpamIn)
                .atMost(PATIENCE)
                .until(() -> board.running().equals(Map.of("route", routeIn, "nodeipam", nodeIpamIn)));
    }

    @Test
    void aControllerMovesToTheOtherComponentAndBackNeverRunsInBothAndPausesBrieflyOnly() throws IOException {
        Path file = Files.writeString(folder.resolve("migration.yaml"), """
                kind: LeaderMigrationConfiguration
                apiVersion: controllermanager.config.k8s.io/v1
                leaderName: cloud-provider-extraction-migration-%s
                resourceLock: leases
                controllerLeaders:
                  - name: route
                    component: *
                """.formatted(suffix));
        String kcm = component("kube-controller-manager");
        String ccm = component("cloud-controller-manager");
        String direct = "--cle.resource-lock=leases";
        String enabled = "--cle.migration.enabled=true";
        String configured = "--cle.migration.config-file=" + file;
        try (Applications applications = new Applications(access())) {
            applications.start("kcm-21", board, ALL, kcm, direct);
            expect("kcm-21", "kcm-21");

            applications.start("kcm-21-migrating", board, ALL, kcm, direct, enabled, configured);
            applications.end("kcm-21");
            expect("kcm-21-migrating", "kcm-21-migrating");

            applications.start("ccm-22-migrating", board, ROUTE_ONLY, ccm, direct, enabled, configured);
            expect("kcm-21-migrating", "kcm-21-migrating");

            applications.start("kcm-22", board, NODE_IPAM_ONLY, kcm, direct);
            applications.end("kcm-21-migrating");
            expect("ccm-22-migrating", "kcm-22");

            applications.start("ccm-22", board, ROUTE_ONLY, ccm, direct);
            applications.end("ccm-22-migrating");
            expect("ccm-22", "kcm-22");

            applications.start("ccm-22-back", board, ROUTE_ONLY, ccm, direct, enabled, configured);
            applications.end("ccm-22");
            expect("ccm-22-back", "kcm-22");

            applications.start("kcm-21-back", board, ALL, kcm, direct, enabled, configured);
            applications.end("kcm-22");
            expect("ccm-22-back", "kcm-21-back");

            applications.end("ccm-22-back");
            expect("kcm-21-back", "kcm-21-back");
        }
        assertThat(board.overlaps()).isEmpty();
        assertThat(board.running()).isEmpty();
        assertThat(board.pauses())
                .containsKeys(
                        "route before kcm-21-migrating", "route before ccm-22-migrating", "route before kcm-21-back")
                .allSatisfy((change, pause) -> assertThat(pause).as(change).isLessThan(LONGEST_PAUSE));
    }
}
