package io.cle.test.direct;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

import com.google.gson.JsonParser;
import io.cle.ResourceLock;
import io.cle.Timings;
import io.cle.kubernetes.internal.transport.ResourceType;
import io.cle.model.ObjectKey;
import io.cle.test.apiserver.Kubectl;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * A record names a holder that doesn't exist, for a day ({@code ghost-lease.yaml}); the line for the administrator, run
 * by {@code kubectl}, repairs it (safety.md#administrators-line).
 */
abstract class AdministratorsLineContract {

    private static final Timings TIMINGS =
            new Timings(Duration.ofSeconds(3), Duration.ofSeconds(2), Duration.ofMillis(500));
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final List<OurElector> electors = new ArrayList<>();

    @TempDir
    private Path home;

    private Kubectl kubectl;

    abstract Server server();

    /** Returns the kubeconfig for the API server. */
    abstract Path kubeconfig();

    @BeforeAll
    static void findKubectl() {
        assumeTrue(Kubectl.isThere(), "skipped, kubectl is not on the PATH");
    }

    @BeforeEach
    void connect() {
        kubectl = new Kubectl(home, kubeconfig());
    }

    @AfterEach
    void stop() {
        electors.forEach(OurElector::close);
    }

    private OurElector ghostHolds(ResourceLock kind, ObjectKey key) {
        String times = "\"acquireTime\": \"2026-01-01T00:00:00Z\", \"renewTime\": \"2026-01-01T00:00:00Z\"";
        String record = "{\"holderIdentity\": \"ghost\", \"leaseDurationSeconds\": 86400, " + times;
        if (kind == ResourceLock.LEASES) {
            create(
                    key,
                    "leases",
                    "/apis/coordination.k8s.io/v1",
                    "{\"metadata\": {\"name\": \"" + key.name() + "\"}, \"spec\": "
                            + (record + ", \"leaseTransitions\": 3}").replace("00:00:00Z", "00:00:00.000000Z") + "}");
        } else {
            String text = (record + ", \"leaderTransitions\": 3}").replace("\"", "\\\"");
            create(
                    key,
                    ResourceType.of(kind).plural(),
                    "/api/v1",
                    "{\"metadata\": {\"name\": \"" + key.name()
                            + "\", \"annotations\": {\"control-plane.alpha.kubernetes.io/leader\": \"" + text
                            + "\"}}}");
        }
        OurElector elector = OurElector.start(server(), kind, key, "a", TIMINGS, null);
        electors.add(elector);
        await().atMost(PATIENCE).until(() -> elector.follows("ghost"));
        return elector;
    }

    private void create(ObjectKey key, String plural, String root, String body) {
        assertThat(server().api()
                        .post(root + "/namespaces/" + key.namespace() + "/" + plural, JsonParser.parseString(body))
                        .code())
                .isEqualTo(201);
    }

    private static String lineOf(OurElector elector) {
        return await().atMost(PATIENCE)
                .until(
                        () -> elector.history().stream()
                                .filter(what -> what.startsWith("no other process may lead before "))
                                .map(what -> what.substring(what.indexOf("kubectl patch")))
                                .findFirst(),
                        Optional::isPresent)
                .orElseThrow();
    }

    private static ObjectKey key(String name) {
        return new ObjectKey("default", name + "-" + System.nanoTime());
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "COORDINATEDLEASES")
    void aCandidateLeadsAtOnceAfterTheLineThatItsWarningNames(ResourceLock kind) {
        OurElector elector = ghostHolds(kind, key("ghost"));
        String line = lineOf(elector);
        assertThat(elector.leads()).isFalse();

        assertThat(kubectl.runLine(line)).contains(" patched");

        await().atMost(Duration.ofSeconds(2)).until(elector::leads);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "COORDINATEDLEASES")
    void theLineChangesNothingIfTheRecordHasChanged(ResourceLock kind) {
        ObjectKey key = key("stale");
        OurElector elector = ghostHolds(kind, key);
        String line = lineOf(elector);
        kubectl.run(
                "annotate",
                ResourceType.of(kind).kind().toLowerCase(Locale.ROOT),
                key.name(),
                "-n",
                key.namespace(),
                "touched=yes");

        assertThatThrownBy(() -> kubectl.runLine(line)).hasMessageContaining("the object has been modified");

        assertThat(SharedRecord.read(server().api(), kind, key).holder()).isEqualTo("ghost");
        assertThat(elector.leads()).isFalse();
    }

    @Test
    void everyOrderOfRepairsFreesALease() {
        Map<String, String> repairs = Map.of(
                "duration",
                "{\"spec\": {\"leaseDurationSeconds\": 3}}",
                "holder",
                "{\"spec\": {\"holderIdentity\": \"\"}}");
        List<OurElector> mended = new ArrayList<>();
        for (List<String> order : List.of(
                List.of("duration"),
                List.of("holder"),
                List.of("delete"),
                List.of("duration", "holder"),
                List.of("holder", "duration"),
                List.of("holder", "duration", "delete"))) {
            ObjectKey key = key("repaired");
            OurElector elector = ghostHolds(ResourceLock.LEASES, key);
            for (String repair : order) {
                if (repair.equals("delete")) {
                    kubectl.run("delete", "lease", key.name(), "-n", key.namespace());
                } else {
                    kubectl.run(
                            "patch",
                            "lease",
                            key.name(),
                            "-n",
                            key.namespace(),
                            "--type=merge",
                            "-p",
                            repairs.get(repair));
                }
            }
            mended.add(elector);
        }

        await().atMost(PATIENCE).untilAsserted(() -> assertThat(mended).allMatch(OurElector::leads));
    }
}
