package io.cle.election.internal.api;

import java.util.Map;

import com.google.gson.JsonObject;
import io.cle.ApiFormat;
import io.cle.kubernetes.internal.codec.CandidateJson;
import io.cle.kubernetes.internal.json.Fields;
import io.cle.kubernetes.internal.json.Json;
import io.cle.kubernetes.internal.json.MalformedObjectException;
import io.cle.kubernetes.internal.transport.FakeTransport;
import io.cle.kubernetes.internal.transport.ResourceType;
import io.cle.kubernetes.internal.watch.WatchedKind;
import io.cle.model.Candidate;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** An object above the size limit is malformed (protocol.md#requests-and-limits). */
class CoordinatedKindsTest {

    private static final int LARGEST = 1000;

    private final WatchedKind<Candidate> candidates = WatchedKind.all(
                    CandidateJson.of(ResourceType.CRD_CANDIDATES), Map.of())
            .upTo(LARGEST);

    /** Returns a candidate that an annotation pads to a size. */
    private static JsonObject candidate(int size) {
        JsonObject candidate =
                FakeTransport.json("{'metadata': {'namespace': 'shop', 'name': 'orders-a', 'resourceVersion': '5',"
                        + " 'annotations': {'a': ''}}, 'spec': {'canLeadLease': 'shop/orders'}}");
        int missing = Math.toIntExact(size - Json.size(candidate));
        candidate.getAsJsonObject("metadata").getAsJsonObject("annotations").addProperty("a", "x".repeat(missing));
        return candidate;
    }

    @Test
    void aCandidateOfTheLargestSizeIsRead() throws Exception {
        assertThat(candidates.decode(Fields.of(candidate(LARGEST))))
                .hasValueSatisfying(read -> assertThat(read.identity()).isEqualTo("orders-a"));
    }

    @Test
    void aLargerOneIsMalformedAndBothSizesAreNamed() {
        assertThatExceptionOfType(MalformedObjectException.class)
                .isThrownBy(() -> candidates.decode(Fields.of(candidate(LARGEST + 1))))
                .withMessageContainingAll("it has 1001 characters", "may have 1000");
    }

    @Test
    void namesTextsNumbersAndWhatIsNestedCount() {
        JsonObject object = FakeTransport.json("{'ab': ['cde', 12, true, null], 'f': {'g': 'h'}}");

        assertThat(Json.size(object)).isEqualTo(2 + 3 + 2 + 4 + 1 + 1 + 1);
    }

    @Test
    void aLeaseThatHasNothingToDoWithLeaderElectionMayBeOfAnySize() throws Exception {
        JsonObject others = FakeTransport.json(
                "{'metadata': {'namespace': 'kube-node-lease', 'name': 'node-1', 'resourceVersion': '5'},"
                        + " 'spec': {'holderIdentity': '" + "x".repeat(LARGEST + 1) + "'}}");

        assertThat(CoordinatorClient.kindOfLeases(ApiFormat.NATIVE)
                        .upTo(LARGEST)
                        .decode(Fields.of(others)))
                .isEmpty();
    }
}
