package io.cle.kubernetes.internal.codec;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import com.google.gson.JsonObject;
import io.cle.kubernetes.internal.json.Fields;
import io.cle.kubernetes.internal.json.MalformedObjectException;
import io.cle.kubernetes.internal.transport.ResourceType;
import io.cle.model.ObjectKey;
import io.cle.model.internal.Lease;
import io.cle.model.internal.TermAnnotation;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static io.cle.kubernetes.internal.transport.FakeTransport.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class LeaseJsonTest {

    private static final ObjectKey ORDERS = new ObjectKey("shop", "orders");
    private static final Instant ACQUIRED = Instant.parse("2026-01-01T00:00:00.5Z");
    private static final Instant RENEWED = Instant.parse("2026-01-01T00:00:03.000007Z");
    private static final TermAnnotation TERM = TermAnnotation.begun(
            "n1", "w1", Duration.ofSeconds(15), "orders-a", ACQUIRED, new TermAnnotation.Ended("n0.w0", "11"));
    private final LeaseJson crd = LeaseJson.CRD;
    private final LeaseJson ofNative = LeaseJson.NATIVE;
    private final LeaseJson configMap = new RecordJson(ResourceType.CONFIG_MAPS);

    private static Lease elected() {
        return Lease.builder(ORDERS)
                .holder("orders-a")
                .acquireTime(ACQUIRED)
                .renewTime(RENEWED)
                .transitions(3)
                .strategy("OldestCompatibilityVersion")
                .recordedStrategy("OldestCompatibilityVersion")
                .electedBy("coordinated-election-controller")
                .endOfTerm("orders-b", "7")
                .holderKey("5")
                .term(TERM)
                .managed(true)
                .build();
    }

    private static JsonObject object(String annotations, String spec) {
        return json("{'metadata': {'namespace': 'shop', 'name': 'orders', 'resourceVersion': '12', 'annotations': {"
                + annotations + "}}, 'spec': {" + spec + "}}");
    }

    private static Lease decode(LeaseJson codec, JsonObject object) throws MalformedObjectException {
        return codec.decode(Fields.of(object)).orElseThrow();
    }

    @Nested
    class AVersion {

        @Test
        void ofNineteenDigitsIsRead() throws MalformedObjectException {
            Lease lease = decode(crd, withVersion("1763596440927791001"));

            assertThat(lease.resourceVersion()).isEqualTo("1763596440927791001");
        }

        @Test
        void aVersionAboveTheLargestFencingTokenIsRefusedInEveryFormat() {
            for (LeaseJson codec : List.of(crd, ofNative, configMap)) {
                assertThatThrownBy(() -> decode(codec, withVersion("9223372036854775808")))
                        .isInstanceOf(MalformedObjectException.class)
                        .hasMessageContaining("resourceVersion is 9223372036854775808")
                        .hasMessageContaining("largest fencing token 9223372036854775807")
                        .hasMessageContaining("elect on an API server with smaller versions");
            }
        }

        @Test
        void ofAnObjectWithoutARecordMayBeOfAnySize() throws MalformedObjectException {
            JsonObject object = withVersion("9223372036854775808");
            object.getAsJsonObject("metadata").remove("annotations");

            assertThat(configMap.decode(Fields.of(object))).isEmpty();
        }

        private JsonObject withVersion(String version) {
            JsonObject object = object("'control-plane.alpha.kubernetes.io/leader': '{}'", "");
            object.getAsJsonObject("metadata").addProperty("resourceVersion", version);
            return object;
        }
    }

    @Nested
    class TheCrdFormat {

        @Test
        void theCrdFormatIsWrittenAsDesigned() {
            assertThat(crd.created(ORDERS, crd.patch(elected()))).isEqualTo(json("""
                    {'apiVersion': 'coordination.k8s.io/v1', 'kind': 'Lease',
                     'metadata': {
                       'name': 'orders', 'namespace': 'shop',
                       'labels': {'coordination.cle.io/managed': 'true'},
                       'annotations': {
                         'coordination.k8s.io/elected-by': 'coordinated-election-controller',
                         'coordination.k8s.io/strategy': 'OldestCompatibilityVersion',
                         'coordination.k8s.io/end-of-term': 'true',
                         'coordination.k8s.io/preferred-holder': 'orders-b',
                         'coordination.cle.io/recorded-strategy': 'OldestCompatibilityVersion',
                         'coordination.cle.io/term': '{\\"term\\":\\"n1.w1\\",\\"write\\":\\"w1\\",\\"duration\\":15,\\"holder\\":\\"orders-a\\",\\"acquireTime\\":\\"2026-01-01T00:00:00.500000Z\\",\\"ended\\":\\"n0.w0\\",\\"after\\":\\"11\\"}',
                         'coordination.cle.io/holder-key': '5',
                         'coordination.cle.io/preferred-key': '7'}},
                     'spec': {'holderIdentity': 'orders-a', 'leaseDurationSeconds': 15,
                       'acquireTime': '2026-01-01T00:00:00.500000Z', 'renewTime': '2026-01-01T00:00:03.000007Z',
                       'leaseTransitions': 3}}
                    """));
        }

        @Test
        void aShardIsLabelledAsOneOfItsGroupAndReadBack() throws Exception {
            Lease shard = Lease.builder(new ObjectKey("shop", "orders-16-3"))
                    .group("orders-16")
                    .retiredBy("77")
                    .build();

            JsonObject object = crd.created(shard.key(), crd.patch(shard));

            assertThat(object.getAsJsonObject("metadata").getAsJsonObject("labels"))
                    .isEqualTo(json("{'coordination.cle.io/group': 'orders-16'}"));
            assertThat(decode(crd, object)).isEqualTo(shard);
        }

        @Test
        void aClosedLeaseNamesTheOwnerOfItsKeyInPlaceOfAHolderAndIsReadBack() throws Exception {
            Lease closed = Lease.builder(ORDERS)
                    .owner("orders-16-*")
                    .leaseDuration(Lease.CLOSED)
                    .build();

            JsonObject object = crd.created(ORDERS, crd.patch(closed));

            assertThat(object.getAsJsonObject("spec").get("holderIdentity").getAsString())
                    .isEqualTo("orders-16-*");
            assertThat(decode(crd, object)).isEqualTo(closed);
            assertThat(closed.held()).isFalse();
            assertThat(closed.closed()).isTrue();
        }

        @Test
        void theCrdFormatReadsNothingFromAPreferredHolderWithoutAnEndOfTerm() throws Exception {
            Lease lease = decode(crd, object("'coordination.k8s.io/preferred-holder': 'b'", "'holderIdentity': 'a'"));

            assertThat(lease.endOfTerm()).isFalse();
            assertThat(lease.preferredHolder()).isNull();
        }
    }

    @Nested
    class TheNativeFormat {

        @Test
        void theNativeFormatIsWrittenWithItsOwnFields() {
            JsonObject object = ofNative.created(ORDERS, ofNative.patch(elected()));

            assertThat(object.getAsJsonObject("spec")).isEqualTo(json("""
                    {'holderIdentity': 'orders-a', 'leaseDurationSeconds': 15,
                     'acquireTime': '2026-01-01T00:00:00.500000Z', 'renewTime': '2026-01-01T00:00:03.000007Z',
                     'leaseTransitions': 3, 'strategy': 'coordination.cle.io/OldestCompatibilityVersion',
                     'preferredHolder': 'orders-b'}
                    """));
            assertThat(object.getAsJsonObject("metadata")
                            .getAsJsonObject("annotations")
                            .keySet())
                    .doesNotContain(
                            "coordination.k8s.io/strategy",
                            "coordination.k8s.io/end-of-term",
                            "coordination.k8s.io/preferred-holder");
        }

        @Test
        void theNativeFormatHasTheEndOfATermInAPreferredHolderThatIsNotTheHolder() throws Exception {
            String strategy = "'strategy': 'OldestEmulationVersion', 'holderIdentity': 'a'";

            assertThat(decode(ofNative, object("", strategy + ", 'preferredHolder': 'b'")))
                    .returns(true, Lease::endOfTerm)
                    .returns("b", Lease::preferredHolder);
            assertThat(decode(ofNative, object("", strategy + ", 'preferredHolder': 'a'"))
                            .endOfTerm())
                    .isFalse();
            assertThat(decode(ofNative, object("", strategy)).endOfTerm()).isFalse();
        }

        @Test
        void theNativeFormatHasTheEndOfATermWithoutAPreferredHolderInAnAnnotation() throws Exception {
            Lease lease = elected().toBuilder().endOfTerm(null, null).build();

            JsonObject written = ofNative.created(ORDERS, ofNative.patch(lease));

            assertThat(decode(ofNative, written)).isEqualTo(lease);
        }

        @Test
        void theNativeFormatRecognizesKubernetesOwnElectionByTheStrategyAndNeverRecordsIt() throws Exception {
            Lease lease = decode(ofNative, object("", "'strategy': 'OldestEmulationVersion', 'holderIdentity': 'a'"));

            assertThat(lease.electedBy()).isEqualTo("kube-apiserver");
            assertThat(lease.strategy()).isEqualTo("OldestEmulationVersion");
            JsonObject patch = ofNative.patch(lease);
            assertThat(patch.getAsJsonObject("spec").get("strategy").getAsString())
                    .isEqualTo("OldestEmulationVersion");
            assertThat(patch.getAsJsonObject("metadata")
                            .getAsJsonObject("annotations")
                            .get(WireNames.ELECTED_BY)
                            .isJsonNull())
                    .isTrue();
        }

        @Test
        void theNativeFormatHasAnAdministratorsStrategyInAnAnnotationToo() throws Exception {
            String field = "'strategy': 'coordination.cle.io/HighestPriority'";

            assertThat(decode(ofNative, object("", field)))
                    .returns("HighestPriority", Lease::strategy)
                    .returns("HighestPriority", Lease::recordedStrategy);
            assertThat(decode(ofNative, object("'coordination.k8s.io/strategy': 'NoCoordination'", field)))
                    .returns("NoCoordination", Lease::strategy)
                    .returns(null, Lease::recordedStrategy);
        }

        @Test
        void theNativeFormatTakesNoStrategyThatACoordinatorRecordedInTheCrdFormatForAnAdministrators()
                throws Exception {
            String recorded = "'coordination.k8s.io/strategy': 'NewestCompatibilityVersion',"
                    + " 'coordination.cle.io/recorded-strategy': 'NewestCompatibilityVersion'";
            String field = "'strategy': 'coordination.cle.io/HighestPriority'";

            Lease lease = decode(ofNative, object(recorded, field));

            assertThat(lease.strategy()).isEqualTo("HighestPriority");
            assertThat(lease.recordedStrategy()).isEqualTo("HighestPriority");
        }

        @Test
        void theNativeFormatCannotWriteAPreferredHolderWithoutAStrategy() {
            Lease lease = Lease.builder(ORDERS).holder("a").endOfTerm("b", null).build();

            assertThatIllegalArgumentException()
                    .isThrownBy(() -> ofNative.patch(lease))
                    .withMessageContaining("requires a strategy");
        }
    }

    @Nested
    class EveryFormat {

        @Test
        void everyFormatHasTheHoldersPodAndContainerWithTheHolderThatTheyAreOf() throws MalformedObjectException {
            for (LeaseJson codec : new LeaseJson[] {crd, ofNative}) {
                JsonObject written = codec.created(
                        ORDERS,
                        codec.patch(elected().toBuilder().holderPod("uid-a/app").build()));

                assertThat(written.getAsJsonObject("metadata")
                                .getAsJsonObject("annotations")
                                .get("coordination.cle.io/holder-pod")
                                .getAsString())
                        .isEqualTo("uid-a/app/orders-a");
                assertThat(decode(codec, written).holderPod()).isEqualTo("uid-a/app");
            }
        }

        /** As kube-apiserver and client-go do. */
        @Test
        void everyFormatHasTheUidOfNoPodIfAnotherWriterHasChangedTheHolder() throws MalformedObjectException {
            String annotation = "'coordination.cle.io/holder-pod': 'uid-a/orders-a'";

            assertThat(decode(crd, object(annotation, "'holderIdentity': 'orders-b'"))
                            .holderPod())
                    .isNull();
            assertThat(decode(crd, object(annotation, "'holderIdentity': ''")).holderPod())
                    .isNull();
            assertThat(decode(
                                    crd,
                                    object(
                                            "'coordination.cle.io/holder-pod': '/orders-a'",
                                            "'holderIdentity': 'orders-a'"))
                            .holderPod())
                    .isNull();
        }

        @Test
        void everyFormatRemovesFieldsThatTheLeaseNoLongerHasByAMergePatch() {
            JsonObject patch = crd.patch(Lease.builder(ORDERS).build());

            JsonObject annotations = patch.getAsJsonObject("metadata").getAsJsonObject("annotations");
            assertThat(annotations.keySet()).hasSize(10);
            assertThat(annotations.asMap().values()).allMatch(value -> value.isJsonNull());
            assertThat(patch.getAsJsonObject("spec").get("renewTime").isJsonNull())
                    .isTrue();
            assertThat(patch.getAsJsonObject("metadata")
                            .getAsJsonObject("labels")
                            .get(WireNames.MANAGED)
                            .isJsonNull())
                    .isTrue();
        }

        @Test
        void everyFormatHasAnEmptyIdentityForNoHolder() {
            Lease free = Lease.builder(ORDERS).build();

            assertThat(crd.patch(free)
                            .getAsJsonObject("spec")
                            .get("holderIdentity")
                            .getAsString())
                    .isEmpty();
            assertThat(ofNative.patch(free)
                            .getAsJsonObject("spec")
                            .get("holderIdentity")
                            .getAsString())
                    .isEmpty();
            assertThat(RecordJson.record(free)).startsWith("{\"holderIdentity\":\"\",");
        }

        @Test
        void everyFormatReadsALeaseOfAnotherWriterWithoutAnnotations() throws Exception {
            Lease lease = decode(crd, json("""
                    {'metadata': {'namespace': 'shop', 'name': 'orders', 'uid': '9e1c', 'resourceVersion': '12', 'novelty': {}},
                     'spec': {'holderIdentity': 'pod-1_uuid', 'leaseDurationSeconds': 40, 'novelty': [1],
                       'renewTime': '2026-01-01T02:00:00.123456789+02:00'}}
                    """));

            assertThat(lease.uid()).isEqualTo("9e1c");
            assertThat(lease.holder()).isEqualTo("pod-1_uuid");
            assertThat(lease.leaseDuration()).isEqualTo(Duration.ofSeconds(40));
            assertThat(lease.renewTime()).isEqualTo(Instant.parse("2026-01-01T00:00:00.123456789Z"));
            assertThat(lease.transitions()).isZero();
            assertThat(lease.managed()).isFalse();
            assertThat(lease.electedBy()).isNull();
        }

        @Test
        void everyFormatReadsAnEmptySpecAsAFreeLease() throws Exception {
            assertThat(decode(crd, object("", "")).held()).isFalse();
            assertThat(decode(crd, object("", "'holderIdentity': ''")).held()).isFalse();
            assertThat(decode(crd, object("", "'holderIdentity': null, 'leaseDurationSeconds': 0"))
                            .held())
                    .isFalse();
            assertThat(decode(crd, json("{'metadata': {'namespace': 'shop', 'name': 'orders'}}"))
                            .held())
                    .isFalse();
        }

        @ParameterizedTest
        @CsvSource(
                quoteCharacter = '"',
                delimiter = '|',
                value = {
                    "'holderIdentity': 7 | spec.holderIdentity must be a string and is 7",
                    "'holderIdentity': 'a', 'leaseDurationSeconds': 0 | spec.leaseDurationSeconds must be a whole number from 1",
                    "'leaseDurationSeconds': -1 | spec.leaseDurationSeconds must be a whole number from 0",
                    "'leaseDurationSeconds': 1.5 | spec.leaseDurationSeconds must be a whole number",
                    "'leaseDurationSeconds': 1e99 | spec.leaseDurationSeconds must be a whole number",
                    "'leaseDurationSeconds': '15' | spec.leaseDurationSeconds must be a whole number",
                    "'leaseTransitions': -1 | spec.leaseTransitions must be a whole number from 0",
                    "'leaseTransitions': 2147483648 | spec.leaseTransitions must be a whole number",
                    "'renewTime': 'yesterday' | spec.renewTime must be a time such as",
                    "'acquireTime': 5 | spec.acquireTime must be a string and is 5",
                })
        void everyFormatReportsAMalformedObjectWithItsField(String spec, String problem) {
            assertThatThrownBy(() -> crd.decode(Fields.of(object("", spec))))
                    .isInstanceOf(MalformedObjectException.class)
                    .hasMessageContaining(problem.strip());
        }

        @Test
        void everyFormatTakesASpecThatIsNoObjectForMalformed() {
            assertThatThrownBy(() ->
                            crd.decode(Fields.of(json("{'metadata': {'namespace': 's', 'name': 'n'}, 'spec': []}"))))
                    .isInstanceOf(MalformedObjectException.class)
                    .hasMessage("spec must be an object and is []");
        }

        @ParameterizedTest
        @CsvSource({"nonsense", "/holder", "nonce/", "''"})
        void everyFormatTreatsAMalformedTermAnnotationAsAbsent(String mark) throws Exception {
            assertThat(decode(crd, object("'coordination.cle.io/term': '" + mark + "'", ""))
                            .term())
                    .isNull();
        }
    }

    @Nested
    class ARecord {

        @Test
        void aRecordIsByteForByteClientGos() {
            Lease lease = Lease.builder(ORDERS)
                    .holder("host_<1>&\"x\"")
                    .acquireTime(ACQUIRED)
                    .renewTime(RENEWED)
                    .transitions(2)
                    .build();

            assertThat(RecordJson.record(lease))
                    .isEqualTo(
                            "{\"holderIdentity\":\"host_\\u003c1\\u003e\\u0026\\\"x\\\"\",\"leaseDurationSeconds\":15,"
                                    + "\"acquireTime\":\"2026-01-01T00:00:00Z\",\"renewTime\":\"2026-01-01T00:00:03Z\","
                                    + "\"leaderTransitions\":2}");
        }

        @Test
        void withoutTimesIsAsClientGoReleasesIt() throws Exception {
            String record = "{\\\"holderIdentity\\\":\\\"\\\",\\\"leaseDurationSeconds\\\":1,\\\"acquireTime\\\":null,"
                    + "\\\"renewTime\\\":null,\\\"leaderTransitions\\\":4}";

            Lease lease = decode(configMap, object("'control-plane.alpha.kubernetes.io/leader': '" + record + "'", ""));

            assertThat(lease.held()).isFalse();
            assertThat(lease.transitions()).isEqualTo(4);
            assertThat(RecordJson.record(lease)).isEqualTo(record.replace("\\\"", "\""));
        }

        @Test
        void aRecordIsNeededToMakeAnObjectALease() throws Exception {
            assertThat(configMap.decode(Fields.of(object("'other': 'annotation'", ""))))
                    .isEmpty();
        }

        @Test
        void aRecordThatIsNoJsonIsMalformed() {
            assertThatThrownBy(() -> configMap.decode(
                            Fields.of(object("'control-plane.alpha.kubernetes.io/leader': '{half'", ""))))
                    .isInstanceOf(MalformedObjectException.class)
                    .hasMessageContaining("control-plane.alpha.kubernetes.io/leader: not a JSON object");
        }
    }
}
