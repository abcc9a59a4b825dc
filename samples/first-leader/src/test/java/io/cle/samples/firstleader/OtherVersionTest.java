package io.cle.samples.firstleader;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.cle.test.apiserver.real.EnabledIfRealApiServer;
import io.cle.test.apiserver.real.RealApiServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Coordinators and applications of this version and of another one, built by {@code .ci/other-version}, on a real API
 * server with this version's CRDs, because an upgrade starts with the CRDs.
 */
@EnabledIfRealApiServer
@EnabledIf(
        value = "possible",
        disabledReason =
                "CLE_OTHER_VERSION_JARS names no directory with the jars of another version, as .ci/other-version does, or those of this one are not built")
class OtherVersionTest {

    private static final Path OTHER = Path.of(System.getenv().getOrDefault("CLE_OTHER_VERSION_JARS", ""));
    private static final Path OTHER_COORDINATOR = OTHER.resolve("cle-coordinator-app.jar");
    private static final Path OTHER_CANDIDATE = OTHER.resolve("candidate.jar");
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Pattern EVENT = Pattern.compile("(?m)^\\d+ (granted|revoked)$");

    private final List<JarProcess> processes = new ArrayList<>();
    private final RealApiServer server = RealApiServer.start();

    @TempDir
    Path folder;

    static boolean possible() {
        boolean possible = JarProcess.built() && Files.exists(OTHER_COORDINATOR) && Files.exists(OTHER_CANDIDATE);
        if (!possible && "true".equals(System.getenv("CLE_REQUIRE_OTHER_VERSION"))) {
            throw new IllegalStateException("CLE_REQUIRE_OTHER_VERSION is true, and the directory '" + OTHER
                    + "' of CLE_OTHER_VERSION_JARS has no jars of another version, or those of this one are not built");
        }
        return possible;
    }

    @AfterEach
    void stop() {
        processes.forEach(JarProcess::close);
        server.close();
    }

    /** The oldest version of the application leads, whatever version of this project it uses. */
    @Test
    void candidatesOfBothVersionsLeadInTurn_whileTheCoordinatorIsUpgradedAndRolledBack() {
        JarProcess other = coordinator(OTHER_COORDINATOR);
        awaitCoordinatorOtherThan("");
        JarProcess otherThird = candidate(OTHER_CANDIDATE, "other-third", "1.3.0");
        awaitLeads(otherThird);
        JarProcess second = candidate(JarProcess.CANDIDATE, "second", "1.2.0");
        awaitLeads(second);
        JarProcess otherFirst = candidate(OTHER_CANDIDATE, "other-first", "1.1.0");
        awaitLeads(otherFirst);

        JarProcess upgraded = replace(other, JarProcess.COORDINATOR);
        assertThat(events(otherFirst)).as("the upgrade keeps the leader").containsExactly("granted");
        otherFirst.close();
        awaitLeads(second);
        second.close();
        awaitLeads(otherThird);
        JarProcess first = candidate(JarProcess.CANDIDATE, "first", "1.1.0");
        awaitLeads(first);

        replace(upgraded, OTHER_COORDINATOR);
        assertThat(events(first)).as("the rollback keeps the leader").containsExactly("granted");
        first.close();
        awaitLeads(otherThird);
        assertThat(events(otherThird)).containsExactly("granted", "revoked", "granted", "revoked", "granted");
        assertThat(events(second)).containsExactly("granted", "revoked", "granted", "revoked");
        assertThat(events(otherFirst)).containsExactly("granted", "revoked");
        assertThat(events(first)).containsExactly("granted", "revoked");
    }

    /** Replaces the coordinator like a rolling update: the new one is started before the old one gets SIGTERM. */
    private JarProcess replace(JarProcess old, Path jar) {
        String holder = coordinating();
        JarProcess started = coordinator(jar);
        await().atMost(PATIENCE).until(() -> started.output().contains("Started CoordinatorApplication"));
        old.close();
        awaitCoordinatorOtherThan(holder);
        return started;
    }

    private JarProcess coordinator(Path jar) {
        return start(jar, "coordinator-" + processes.size(), "--server.port=0", "--management.server.port=0");
    }

    private void awaitCoordinatorOtherThan(String former) {
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(coordinating()).isNotEmpty().isNotEqualTo(former));
    }

    /** Returns the identity of the active coordinator; empty if there is none. */
    private String coordinating() {
        for (JsonElement item :
                server.api().get("/apis/coordination.k8s.io/v1/leases").json().getAsJsonArray("items")) {
            JsonObject lease = item.getAsJsonObject();
            JsonElement holder = lease.getAsJsonObject("spec").get("holderIdentity");
            if (lease.getAsJsonObject("metadata").get("name").getAsString().equals("coordinated-election-controller")
                    && holder != null) {
                return holder.getAsString();
            }
        }
        return "";
    }

    private JarProcess candidate(Path jar, String identity, String version) {
        return start(
                jar,
                identity,
                "--cle.mode=kubernetes",
                "--cle.namespace=default",
                "--cle.lease-name=orders",
                "--cle.identity=" + identity,
                "--cle.candidate.binary-version=" + version,
                "--cle.fallback.enabled=false");
    }

    private JarProcess start(Path jar, String name, String... arguments) {
        JarProcess process = JarProcess.start(
                jar,
                Map.of("KUBECONFIG", server.kubeconfig().toString()),
                folder.resolve(name + ".log"),
                List.of(arguments));
        processes.add(process);
        return process;
    }

    private void awaitLeads(JarProcess candidate) {
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(events(candidate))
                        .as("the candidate that says: %s", candidate.output())
                        .isNotEmpty()
                        .last()
                        .isEqualTo("granted"));
    }

    private static List<String> events(JarProcess candidate) {
        return EVENT.matcher(candidate.output())
                .results()
                .map(event -> event.group(1))
                .toList();
    }
}
