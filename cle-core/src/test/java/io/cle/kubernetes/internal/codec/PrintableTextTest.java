package io.cle.kubernetes.internal.codec;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.cle.kubernetes.internal.json.Fields;
import io.cle.kubernetes.internal.json.MalformedObjectException;
import io.cle.kubernetes.internal.transport.FakeTransport;
import io.cle.kubernetes.internal.transport.ResourceType;
import io.cle.model.Candidate;
import io.cle.model.internal.Lease;
import io.cle.model.internal.PrintableText;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/** Text from objects brings no invisible character into a log, an Event or an answer (protocol.md#objects). */
class PrintableTextTest {

    /** A forged log line, and the escape sequence that clears a terminal. */
    private static final String FORGED = "Oldest\n2026-01-01 INFO all is well\u001b[2J";

    private static final String SHOWN = "Oldest\\u000a2026-01-01 INFO all is well\\u001b[2J";

    private static JsonObject candidate(String strategy) {
        JsonObject candidate = FakeTransport.json("{'metadata': {'namespace': 'shop', 'name': 'orders-a'},"
                + " 'spec': {'canLeadLease': 'shop/orders'}}");
        candidate.getAsJsonObject("spec").addProperty("strategy", strategy);
        return candidate;
    }

    @Test
    void theStrategyOfACandidateIsReadWithoutThem() throws Exception {
        Candidate read = CandidateJson.of(ResourceType.CRD_CANDIDATES)
                .decode(Fields.of(candidate(FORGED)))
                .orElseThrow();

        assertThat(read.strategy()).isEqualTo(SHOWN);
    }

    @Test
    void aTextThatCanBeSeenIsReadAsItIs() throws Exception {
        Candidate read = CandidateJson.of(ResourceType.CRD_CANDIDATES)
                .decode(Fields.of(candidate("Älteste 版本 \\n")))
                .orElseThrow();

        assertThat(read.strategy()).isEqualTo("Älteste 版本 \\n");
    }

    @Test
    void theHolderAndTheAnnotationsOfALeaseAreReadWithoutThem() throws Exception {
        JsonObject object = FakeTransport.json(
                "{'metadata': {'namespace': 'shop', 'name': 'orders'," + " 'annotations': {}}, 'spec': {}}");
        object.getAsJsonObject("spec").addProperty("holderIdentity", FORGED);
        object.getAsJsonObject("metadata").getAsJsonObject("annotations").addProperty(WireNames.ELECTED_BY, FORGED);

        Lease read = LeaseJson.CRD.decode(Fields.of(object)).orElseThrow();

        assertThat(read.holder()).isEqualTo(SHOWN);
        assertThat(read.electedBy()).isEqualTo(SHOWN);
    }

    @Test
    void theMessageAboutAMalformedObjectHasNone() {
        JsonObject object = candidate("x");
        object.getAsJsonObject("spec").addProperty("canLeadLease", FORGED);

        assertThat(catchThrowable(
                        () -> CandidateJson.of(ResourceType.CRD_CANDIDATES).decode(Fields.of(object))))
                .isInstanceOfSatisfying(MalformedObjectException.class, e -> {
                    assertThat(e.problem()).isEqualTo(PrintableText.text(e.problem()));
                    assertThat(e.getMessage()).isEqualTo(e.problem());
                });
    }

    @Test
    void theMessageAboutAFieldOfTheWrongTypeHasNone() {
        JsonObject object = candidate("x");
        JsonArray list = new JsonArray();
        list.add("\u0085\u009b2J");
        object.getAsJsonObject("spec").add("strategy", list);

        assertThat(catchThrowable(
                        () -> CandidateJson.of(ResourceType.CRD_CANDIDATES).decode(Fields.of(object))))
                .hasMessageContaining("spec.strategy must be a string")
                .hasMessageContaining("\\u009b");
    }

    /** UTF-8 can't encode a lone surrogate; an encoder would write a question mark. */
    @Test
    void halfACharacterAmongPlainOnesCantBeSeen() {
        assertThat(PrintableText.text("a\ud800b")).isEqualTo("a\\ud800b");
    }

    @Test
    void charactersThatTurnTheDirectionOfWritingCantBeSeen() {
        assertThat(PrintableText.text("a\u202eb\u2028c\ud800")).isEqualTo("a\\u202eb\\u2028c\\ud800");
    }
}
