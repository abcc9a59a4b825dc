package io.cle.test.hostile;

import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.cle.election.internal.api.LeaseConfigurationCodec;
import io.cle.election.internal.api.PodStates;
import io.cle.kubernetes.internal.codec.CandidateJson;
import io.cle.kubernetes.internal.codec.JsonCodec;
import io.cle.kubernetes.internal.codec.LeaseJson;
import io.cle.kubernetes.internal.codec.RecordJson;
import io.cle.kubernetes.internal.json.Fields;
import io.cle.kubernetes.internal.json.Json;
import io.cle.kubernetes.internal.json.MalformedObjectException;
import io.cle.kubernetes.internal.transport.ResourceType;
import io.cle.model.Candidate;
import io.cle.model.ObjectKey;
import io.cle.model.PodRef;
import io.cle.model.internal.Lease;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Every codec reads hostile objects, or reports them as malformed; what it has read, it can write and read again. */
class HostileObjectsTest {

    private static final List<LeaseJson> LEASES =
            List.of(LeaseJson.CRD, LeaseJson.NATIVE, new RecordJson(ResourceType.CONFIG_MAPS));
    private static final List<CandidateJson> CANDIDATES =
            List.of(CandidateJson.of(ResourceType.CRD_CANDIDATES), CandidateJson.of(ResourceType.NATIVE_CANDIDATES));

    private static JsonObject hostile(long seed) throws MalformedObjectException {
        HostileText text = new HostileText(seed);
        return Json.parseObject(text.mutatedText(text.oneOf(ValidObjects.ALL)));
    }

    @Test
    void leasesAreReadOrMalformed() {
        HostileSeeds.run(1000, HostileObjectsTest::readLease);
    }

    private static void readLease(long seed) {
        for (LeaseJson codec : LEASES) {
            try {
                Lease lease = codec.decode(Fields.of(hostile(seed))).orElse(null);
                if (lease != null) {
                    writtenAndReadAgain(codec, lease);
                }
            } catch (MalformedObjectException e) {
                assertThat(e.problem()).isNotEmpty();
            }
        }
    }

    private static void writtenAndReadAgain(LeaseJson codec, Lease lease) throws MalformedObjectException {
        JsonObject patch;
        try {
            patch = codec.patch(lease);
        } catch (IllegalArgumentException e) {
            assertThat(e.getMessage()).isNotEmpty();
            return;
        }
        Lease again = codec.decode(Fields.of(codec.created(lease.key(), patch))).orElseThrow();
        assertThat(again.holder()).isEqualTo(lease.holder());
        assertThat(again.leaseDuration()).isEqualTo(lease.leaseDuration());
        assertThat(again.term()).isEqualTo(lease.term());
    }

    @Test
    void candidatesAreReadOrMalformed() {
        HostileSeeds.run(1000, HostileObjectsTest::readCandidate);
    }

    private static void readCandidate(long seed) {
        for (CandidateJson codec : CANDIDATES) {
            try {
                Candidate candidate = codec.decode(Fields.of(hostile(seed))).orElseThrow();
                JsonObject patch;
                try {
                    patch = codec.renewal(candidate);
                } catch (IllegalArgumentException e) {
                    assertThat(e.getMessage()).isNotEmpty();
                    continue;
                }
                Candidate again = codec.decode(Fields.of(codec.created(candidate.key(), patch)))
                        .orElseThrow();
                assertThat(again.priority()).isEqualTo(candidate.priority());
                assertThat(again.lease()).isEqualTo(candidate.lease());
            } catch (MalformedObjectException e) {
                assertThat(e.problem()).isNotEmpty();
            }
        }
    }

    @Test
    void configurationsAndPodsAreReadOrMalformed() {
        HostileSeeds.run(1000, HostileObjectsTest::readOthers);
    }

    private static void readOthers(long seed) {
        JsonCodec<?> configurations = new LeaseConfigurationCodec();
        try {
            JsonObject object = hostile(seed);
            assertThat(PodStates.of(object, new PodRef(new ObjectKey("shop", "orders-7f9c"), "u-1")))
                    .isNotNull();
            assertThat(configurations.decode(Fields.of(object))).isPresent();
        } catch (MalformedObjectException e) {
            assertThat(e.problem()).isNotEmpty();
        }
    }

    @Test
    void listsAreReadObjectByObjectOrMalformed() {
        HostileSeeds.run(1000, HostileObjectsTest::readList);
    }

    private static void readList(long seed) {
        HostileText text = new HostileText(seed);
        JsonArray items = new JsonArray();
        for (int i = text.below(4); i > 0; i--) {
            items.add(text.oneOf(ValidObjects.ALL).deepCopy());
        }
        JsonObject metadata = new JsonObject();
        metadata.addProperty("resourceVersion", "17");
        metadata.addProperty("continue", "more");
        JsonObject list = new JsonObject();
        list.add("metadata", metadata);
        list.add("items", items);
        String page = text.mutatedText(list);
        List<JsonObject> read = new ArrayList<>();
        try {
            JsonObject rest = Json.readList(new StringReader(page), read::add);
            JsonObject whole = Json.parseObject(page);
            rest.entrySet()
                    .forEach(member -> assertThat(whole.get(member.getKey())).isEqualTo(member.getValue()));
            if (whole.get("items") instanceof JsonArray array) {
                assertThat(read).endsWith(array.asList().toArray(JsonObject[]::new));
            }
        } catch (MalformedObjectException e) {
            assertThat(e.problem()).isNotEmpty();
        } catch (IOException e) {
            assertThat(e).hasMessageNotContaining("Exception");
        }
    }
}
