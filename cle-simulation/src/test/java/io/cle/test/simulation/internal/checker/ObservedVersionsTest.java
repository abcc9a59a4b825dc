package io.cle.test.simulation.internal.checker;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.cle.test.simulation.internal.nemesis.Administrator;
import io.cle.test.simulation.internal.server.SimulatedServer;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ObservedVersionsTest {

    private final ObservedVersions observed = new ObservedVersions(version -> true);

    private static long version(int count) {
        return SimulatedServer.VERSIONS_BEFORE + count;
    }

    private static JsonObject lease(int version) {
        return JsonParser.parseString("""
                {"metadata": {"name": "orders", "resourceVersion": "%2$d",
                 "annotations": {"coordination.cle.io/term": "{\\"term\\":\\"n.%1$d\\",\\"write\\":\\"%1$d\\"}"}}}
                """.formatted(version, version(version))).getAsJsonObject();
    }

    /** A coordinator keeps no part of a term annotation that it doesn't know. */
    @Test
    void aTermAnnotationThatWasEditedIsNotItsLeadersAfterACoordinatorsWrite() {
        JsonObject edited = lease(5);
        edited.getAsJsonObject("metadata").getAsJsonObject("annotations").addProperty(Administrator.EDITED, "5");
        observed.add(edited, true);

        assertThat(observed.has(version(5))).isTrue();
        assertThat(observed.hasTerm("n.5")).isFalse();
    }

    @Test
    void aTermOfAnAnswerThatMayHaveBeenIgnoredIsKnownOnlyAfterItIsObserved() {
        observed.add(lease(5), false);

        assertThat(observed.has(version(5))).isTrue();
        assertThat(observed.hasTerm("n.5")).isFalse();

        observed.add(lease(5), true);

        assertThat(observed.hasTerm("n.5")).isTrue();
    }

    @Test
    void whatWasDeliveredByTheBeginningOfATermIsKeptAsItWas() {
        observed.add(lease(5), true);
        ObservedVersions atBegin = observed.soFar();
        observed.add(lease(6), true);

        assertThat(observed.has(version(6))).isTrue();
        assertThat(observed.hasTerm("n.6")).isTrue();
        assertThat(atBegin.has(version(5))).isTrue();
        assertThat(atBegin.hasTerm("n.5")).isTrue();
        assertThat(atBegin.has(version(6))).isFalse();
        assertThat(atBegin.hasTerm("n.6")).isFalse();
    }
}
