package io.cle.kubernetes.internal.codec;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.cle.kubernetes.internal.json.Fields;
import io.cle.kubernetes.internal.json.Json;
import io.cle.kubernetes.internal.json.MalformedObjectException;
import io.cle.kubernetes.internal.transport.FakeTransport;
import io.cle.kubernetes.internal.transport.ResourceType;
import io.cle.model.ObjectKey;
import io.cle.model.Version;
import io.cle.model.internal.Lease;
import io.cle.model.internal.PrintableText;
import io.cle.model.internal.TermAnnotation;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.AlphaChars;
import net.jqwik.api.constraints.StringLength;

import static org.assertj.core.api.Assertions.assertThat;

class CodecPropertiesTest {

    private static final ObjectKey ORDERS = new ObjectKey("shop", "orders");

    /** Identities are any non-empty text: quotes, line breaks, all of Unicode. */
    @Provide
    Arbitrary<Lease> leases() {
        Arbitrary<String> text =
                Arbitraries.strings().ofMinLength(1).ofMaxLength(20).map(PrintableText::text);
        Arbitrary<Instant> micros = Arbitraries.longs()
                .between(0, 4_000_000_000_000_000L)
                .map(value -> Instant.EPOCH.plus(value, ChronoUnit.MICROS));
        Arbitrary<Lease.Builder> spec = Combinators.combine(
                        text.injectNull(0.2),
                        Arbitraries.integers().between(1, 100_000),
                        micros.injectNull(0.2),
                        micros.injectNull(0.2),
                        Arbitraries.integers().greaterOrEqual(0))
                .as((holder, seconds, acquired, renewed, transitions) -> Lease.builder(ORDERS)
                        .holder(holder)
                        .leaseDuration(Duration.ofSeconds(seconds))
                        .acquireTime(acquired)
                        .renewTime(renewed)
                        .transitions(transitions));
        return Combinators.combine(
                        spec,
                        text.injectNull(0.2),
                        text.injectNull(0.2),
                        text.injectNull(0.2),
                        Arbitraries.integers().between(0, 2),
                        text,
                        Arbitraries.of(true, false))
                .as((lease, electedBy, recorded, key, ending, other, managed) -> {
                    lease.strategy("example.com/Strategy")
                            .electedBy(electedBy)
                            .recordedStrategy(recorded)
                            .holderKey(key)
                            .managed(managed)
                            .term(
                                    managed
                                            ? TermAnnotation.begun(
                                                    "nonce-1",
                                                    "w1",
                                                    Duration.ofSeconds(15),
                                                    other,
                                                    Instant.EPOCH,
                                                    new TermAnnotation.Ended("n0.w0", other))
                                            : null);
                    if (ending > 0) {
                        lease.endOfTerm(ending == 1 ? null : other + "'s better", ending == 1 ? null : key);
                    }
                    return lease.build();
                });
    }

    @Property(tries = 300)
    void aLeaseIsReadAsItWasWrittenInTheCrdFormat(@ForAll("leases") Lease lease) throws Exception {
        assertThat(throughText(LeaseJson.CRD, lease)).isEqualTo(lease);
    }

    @Property(tries = 300)
    void aLeaseIsReadAsItWasWrittenInTheNativeFormat(@ForAll("leases") Lease lease) throws Exception {
        Lease elected = lease.toBuilder()
                .electedBy(lease.electedBy() == null ? LeaseJson.KUBE_APISERVER : lease.electedBy())
                .recordedStrategy(lease.strategy())
                .build();
        assertThat(throughText(LeaseJson.NATIVE, elected)).isEqualTo(elected);
    }

    @Property(tries = 300)
    void aRecordIsReadAsItWasWrittenExceptForFractionsOfSeconds(@ForAll("leases") Lease lease) throws Exception {
        Lease inSeconds = lease.toBuilder()
                .acquireTime(seconds(lease.acquireTime()))
                .renewTime(seconds(lease.renewTime()))
                .build();
        assertThat(throughText(new RecordJson(ResourceType.CONFIG_MAPS), lease)).isEqualTo(inSeconds);
    }

    @Property(tries = 300)
    void aVersionIsReadFromItsLabelAsItWasWritten(
            @ForAll @AlphaChars @StringLength(min = 1, max = 20) String preRelease,
            @ForAll @AlphaChars @StringLength(min = 1, max = 20) String build)
            throws Exception {
        Version version = Version.parse("1.2.3-" + preRelease + "+" + build);

        String label = CandidateJson.label(version);
        JsonObject labels = new JsonObject();
        labels.addProperty("binary-version", label);

        assertThat(label).matches("[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?");
        assertThat(CandidateJson.version(Fields.of(labels), "binary-version")).isEqualTo(version);
    }

    /** Any value in any field is decoded or reported as malformed; no exception ends a watch. */
    @Property(tries = 500)
    void aRandomTextIsMalformedAtMost(@ForAll("garbage") String value, @ForAll("fields") String field) {
        JsonObject object = FakeTransport.json("{'metadata': {'namespace': 'shop', 'name': 'orders', 'annotations': {},"
                + " 'labels': {}}, 'spec': {'canLeadLease': 'shop/orders', 'leaseName': 'orders'}}");
        String[] path = field.split(" ");
        JsonObject parent = object;
        for (int i = 0; i < path.length - 1; i++) {
            parent = parent.getAsJsonObject(path[i]);
        }
        parent.add(path[path.length - 1], JsonParser.parseString(value));
        for (JsonCodec<?> codec : new JsonCodec<?>[] {
            LeaseJson.CRD,
            LeaseJson.NATIVE,
            new RecordJson(ResourceType.ENDPOINTS),
            CandidateJson.of(ResourceType.CRD_CANDIDATES),
            CandidateJson.of(ResourceType.NATIVE_CANDIDATES)
        }) {
            try {
                assertThat(codec.decode(Fields.of(object))).isNotNull();
            } catch (MalformedObjectException e) {
                assertThat(e.problem()).isNotEmpty();
            }
        }
    }

    @Provide
    Arbitrary<String> garbage() {
        return Arbitraries.of(
                "null",
                "true",
                "0",
                "-1",
                "1e400",
                "99999999999999999999",
                "\"\"",
                "\"x\"",
                "\"a/b/c\"",
                "[]",
                "[null]",
                "[[]]",
                "{}",
                "{\"a\":1}",
                "\"2026-13-45T99:99:99Z\"",
                "\"+1000000000-01-01T00:00:00Z\"",
                "\"{\"");
    }

    @Provide
    Arbitrary<String> fields() {
        return Arbitraries.of(
                "metadata",
                "spec",
                "metadata name",
                "metadata namespace",
                "metadata resourceVersion",
                "metadata labels",
                "metadata annotations",
                "metadata creationTimestamp",
                "metadata ownerReferences",
                "metadata labels binary-version",
                "metadata annotations " + WireNames.TERM,
                "metadata annotations " + WireNames.PRIORITY,
                "metadata annotations " + WireNames.PENDING_ACK,
                "metadata annotations " + RecordJson.RECORD,
                "spec holderIdentity",
                "spec leaseDurationSeconds",
                "spec leaseTransitions",
                "spec renewTime",
                "spec acquireTime",
                "spec strategy",
                "spec preferredHolder",
                "spec priority",
                "spec canLeadLease",
                "spec leaseName",
                "spec binaryVersion",
                "spec pingTime");
    }

    private static Lease throughText(LeaseJson codec, Lease lease) throws MalformedObjectException {
        String text = codec.created(ORDERS, codec.patch(lease)).toString();
        return codec.decode(Fields.of(Json.parseObject(text))).orElseThrow();
    }

    private static Instant seconds(Instant time) {
        return time == null ? null : time.truncatedTo(ChronoUnit.SECONDS);
    }
}
