package io.cle.kubernetes.internal.codec;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import com.google.gson.JsonObject;
import io.cle.kubernetes.internal.json.Fields;
import io.cle.kubernetes.internal.json.MalformedObjectException;
import io.cle.kubernetes.internal.transport.ResourceType;
import io.cle.model.Candidate;
import io.cle.model.LeaseGroup;
import io.cle.model.ObjectKey;
import io.cle.model.PodRef;
import io.cle.model.Version;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static io.cle.kubernetes.internal.transport.FakeTransport.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class CandidateJsonTest {

    private static final ObjectKey KEY = new ObjectKey("shop", "orders-a");
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private final CandidateJson crd = CandidateJson.of(ResourceType.CRD_CANDIDATES);
    private final CandidateJson ofNative = CandidateJson.of(ResourceType.NATIVE_CANDIDATES);

    private static Candidate.Builder candidate() {
        return Candidate.builder(KEY, new ObjectKey("shop", "orders"))
                .binaryVersion(Version.parse("1.29.0+build.5"))
                .compatibilityVersion(Version.parse("1.28.0"))
                .priority(10)
                .renewTime(NOW)
                .pod(new PodRef(new ObjectKey("shop", "orders-7f9c"), "uid-1", "app"));
    }

    @Nested
    class TheCrdFormat {

        @Test
        void theCrdFormatIsWrittenAsDesigned() {
            assertThat(crd.created(KEY, crd.renewal(candidate().build()))).isEqualTo(json("""
                    {'apiVersion': 'coordination.cle.io/v1alpha1', 'kind': 'LeaseCandidate',
                     'metadata': {
                       'name': 'orders-a', 'namespace': 'shop',
                       'labels': {'binary-version': '1.29.0_build.5', 'compatibility-version': '1.28.0'},
                       'annotations': {'coordination.cle.io/container': 'app'},
                       'ownerReferences': [{'apiVersion': 'v1', 'kind': 'Pod', 'name': 'orders-7f9c', 'uid': 'uid-1',
                         'controller': false, 'blockOwnerDeletion': false}]},
                     'spec': {'canLeadLease': 'shop/orders', 'strategy': 'OldestCompatibilityVersion', 'priority': 10,
                       'leaseDurationSeconds': 600, 'renewTime': '2026-01-01T00:00:00.000000Z'}}
                    """));
        }

        @Test
        void aCandidateForShardsIsWrittenAsDesignedAndReadBack() throws Exception {
            LeaseGroup group = new LeaseGroup("shop", "orders", 16);
            List<ObjectKey> leases = new ArrayList<>(group.leases());
            leases.removeAll(List.of(group.lease(7), group.lease(3)));
            Candidate written =
                    Candidate.builder(KEY, group).leases(leases).renewTime(NOW).build();

            JsonObject object = crd.created(KEY, crd.renewal(written));

            JsonObject spec = object.getAsJsonObject("spec");
            assertThat(spec.get("canLeadLease").getAsString()).isEqualTo("shop/orders-16-*");
            assertThat(spec.get("group")).isEqualTo(json("{'shards': 16, 'withdrawn': [3, 7]}"));
            Candidate read = crd.decode(Fields.of(object)).orElseThrow();
            assertThat(read.group()).isEqualTo(written.group());
            assertThat(read.withdrawnShards()).containsExactlyInAnyOrder(3, 7);
            assertThat(read.leases()).hasSize(14).doesNotContain(new ObjectKey("shop", "orders-16-3"));
            assertThat(read.canLead(new ObjectKey("shop", "orders-16-2"))).isTrue();
            assertThat(read.canLead(new ObjectKey("shop", "orders-16-3"))).isFalse();
        }

        @Test
        void aCandidateForAGroupOfLeasesIsWrittenAsDesignedAndReadBack() throws Exception {
            Candidate written = Candidate.builder(KEY, LeaseGroup.named("shop", "jobs"))
                    .leases(List.of(new ObjectKey("shop", "reports"), new ObjectKey("shop", "billing")))
                    .renewTime(NOW)
                    .build();

            JsonObject object = crd.created(KEY, crd.renewal(written));

            JsonObject spec = object.getAsJsonObject("spec");
            assertThat(spec.get("canLeadLease").getAsString()).isEqualTo("shop/jobs-*");
            assertThat(spec.get("group")).isEqualTo(json("{'leases': ['billing', 'reports']}"));
            Candidate read = crd.decode(Fields.of(object)).orElseThrow();
            assertThat(read.group()).isEqualTo(written.group());
            assertThat(read.leases()).isEqualTo(written.leases());
            assertThat(read.canLead(new ObjectKey("shop", "billing"))).isTrue();
            assertThat(read.canLead(new ObjectKey("shop", "jobs"))).isFalse();
        }

        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                value = {
                    "{'canLeadLease': 'shop/jobs-*'} | spec.group doesn't match",
                    "{'canLeadLease': 'shop/jobs', 'group': {'leases': ['billing']}} | spec.group doesn't match",
                    "{'canLeadLease': 'shop/jobs-3-*', 'group': {'leases': ['billing']}} | spec.group doesn't match",
                    "{'canLeadLease': 'shop/jobs-3-*', 'group': {'shards': 3, 'leases': ['billing']}} | spec.group doesn't match",
                    "{'canLeadLease': 'shop/jobs-*', 'group': {'leases': ['Billing']}} | spec.group.leases has 'Billing'",
                    "{'canLeadLease': 'shop/jobs-*', 'group': {'leases': [1]}} | must be a list of texts",
                    "{'canLeadLease': 'shop/orders-16-*'} | spec.group doesn't match",
                    "{'canLeadLease': 'shop/orders-16-*', 'group': {'shards': 8}} | spec.group doesn't match",
                    "{'canLeadLease': 'shop/orders', 'group': {'shards': 8}} | spec.group doesn't match",
                    "{'canLeadLease': 'shop/orders-8-*', 'group': {'shards': 8, 'withdrawn': [8]}} | spec.group doesn't match",
                    "{'canLeadLease': 'shop/orders-8-*', 'group': {'shards': 8, 'withdrawn': ['x']}} | must be a whole number",
                    "{'canLeadLease': 'shop/orders-8-*', 'group': {'shards': 0}} | must be a whole number from 1"
                })
        void aCandidateWhoseGroupContradictsItsLeaseIsMalformed(String spec, String problem) {
            JsonObject object = json("{'metadata': {'namespace': 'shop', 'name': 'orders-a'}}");
            object.add("spec", json(spec));
            assertThatThrownBy(() -> crd.decode(Fields.of(object)))
                    .isInstanceOf(MalformedObjectException.class)
                    .hasMessageContaining(problem);
        }

        @Test
        void theNativeFormatRefusesACandidateForShards() {
            Candidate candidate = Candidate.builder(KEY, new LeaseGroup("shop", "orders", 16))
                    .binaryVersion(Version.parse("1.0.0"))
                    .renewTime(NOW)
                    .build();
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> ofNative.renewal(candidate))
                    .withMessageContaining("no candidates for groups of leases")
                    .withMessageContaining("CRD");
        }

        @Test
        void theCrdFormatTakesBackThePingWithARenewal() {
            JsonObject patch = crd.renewal(candidate().build());

            assertThat(patch.getAsJsonObject("metadata")
                            .getAsJsonObject("annotations")
                            .get(WireNames.PENDING_ACK)
                            .isJsonNull())
                    .isTrue();
        }
    }

    @Nested
    class TheNativeFormat {

        @Test
        void theNativeFormatIsWrittenAsKubernetesReadsIt() {
            assertThat(ofNative.created(
                            KEY,
                            ofNative.renewal(candidate()
                                    .strategy("HighestPriority")
                                    .pod(null)
                                    .build())))
                    .isEqualTo(json("""
                    {'apiVersion': 'coordination.k8s.io/v1beta1', 'kind': 'LeaseCandidate',
                     'metadata': {'name': 'orders-a', 'namespace': 'shop',
                       'annotations': {'coordination.cle.io/priority': '10'}},
                     'spec': {'leaseName': 'orders', 'binaryVersion': '1.29.0+build.5', 'emulationVersion': '1.28.0',
                       'strategy': 'coordination.cle.io/HighestPriority',
                       'renewTime': '2026-01-01T00:00:00.000000Z'}}
                    """));
        }

        @Test
        void theNativeFormatLeavesTheOldestVersionToKubernetesOwnStrategy() {
            for (String oldest : new String[] {"OldestCompatibilityVersion", "MinimumCompatibilityVersion"}) {
                JsonObject renewal =
                        ofNative.renewal(candidate().strategy(oldest).build());
                assertThat(renewal.getAsJsonObject("spec").get("strategy").getAsString())
                        .isEqualTo("OldestEmulationVersion");
            }
        }

        @Test
        void theNativeFormatLeavesThePingToItsAnswerInARenewal() {
            assertThat(ofNative.renewal(candidate().build())
                            .getAsJsonObject("spec")
                            .has("pingTime"))
                    .isFalse();
        }

        @Test
        void theNativeFormatHasTheCandidateInTheNamespaceOfItsLease() {
            Candidate abroad =
                    Candidate.builder(KEY, new ObjectKey("elsewhere", "orders")).build();

            assertThatIllegalArgumentException()
                    .isThrownBy(() -> ofNative.renewal(abroad))
                    .withMessageContaining("namespace of its lease")
                    .withMessageContaining("use the crd format");
        }

        @Test
        void theNativeFormatNeedsABinaryVersion() {
            assertThatIllegalArgumentException()
                    .isThrownBy(() ->
                            ofNative.renewal(candidate().binaryVersion(null).build()))
                    .withMessage("the native format requires a binary version; set the candidate's binary version");
        }
    }

    @Nested
    class EveryFormat {

        @Test
        void everyFormatWritesKubernetesOwnStrategyAndThoseOfOthersAsTheyStand() {
            assertThat(NativeStrategies.encode("OldestEmulationVersion")).isEqualTo("OldestEmulationVersion");
            assertThat(NativeStrategies.encode("example.com/Mine")).isEqualTo("example.com/Mine");
            assertThat(NativeStrategies.decode("example.com/Mine")).isEqualTo("example.com/Mine");
            assertThat(NativeStrategies.decode("coordination.cle.io/HighestPriority"))
                    .isEqualTo("HighestPriority");
        }

        @Test
        void everyFormatReadsWhatItHasWritten() throws Exception {
            for (CandidateJson codec : new CandidateJson[] {crd, ofNative}) {
                Duration validity = codec == crd ? Duration.ofMinutes(10) : Duration.ofMinutes(30);
                Candidate candidate = candidate()
                        .strategy("HighestPriority")
                        .validity(validity)
                        .build();
                assertThat(codec.decode(Fields.of(codec.created(KEY, codec.renewal(candidate)))))
                        .contains(candidate);
            }
        }

        @Test
        void everyFormatReadsTheExampleOfKep4355() throws Exception {
            Candidate example = crd.decode(Fields.of(json("""
                    {'metadata': {'labels': {'binary-version': '1.29', 'compatibility-version': '1.29'},
                       'name': 'some-custom-controller-0001A', 'namespace': 'kube-system'},
                     'spec': {'canLeadLease': 'kube-system/some-custom-controller', 'leaseDurationSeconds': 300,
                       'renewTime': '2023-12-05T02:33:08.685777Z'}}
                    """))).orElseThrow();

            assertThat(example.binaryVersion()).isEqualTo(Version.parse("1.29.0"));
            assertThat(example.compatibilityVersion()).isEqualTo(Version.parse("1.29.0"));
            assertThat(crd.renewal(example).getAsJsonObject("metadata").getAsJsonObject("labels"))
                    .isEqualTo(json("{'binary-version': '1.29.0', 'compatibility-version': '1.29.0'}"));
        }

        @Test
        void everyFormatPingsWithoutTouchingAnythingElse() {
            assertThat(crd.ping(NOW)).isEqualTo(json("""
                    {'metadata': {'annotations': {'coordination.k8s.io/pending-ack': '2026-01-01T00:00:00.000000Z'}}}
                    """));
            assertThat(ofNative.ping(NOW)).isEqualTo(json("{'spec': {'pingTime': '2026-01-01T00:00:00.000000Z'}}"));
        }

        @Test
        void everyFormatNamesNoOwnerForAnUnknownPod() {
            JsonObject metadata = crd.renewal(candidate().pod(null).build()).getAsJsonObject("metadata");

            assertThat(metadata.has("ownerReferences")).isFalse();
        }

        @Test
        void everyFormatReadsTheLeastThereCanBeWithTheDefaults() throws Exception {
            Candidate least = crd.decode(Fields.of(json("""
                    {'metadata': {'namespace': 'shop', 'name': 'x', 'creationTimestamp': '2026-01-01T00:00:00Z',
                       'ownerReferences': [{'apiVersion': 'apps/v1', 'kind': 'ReplicaSet', 'name': 'r', 'uid': 'u'}]},
                     'spec': {'canLeadLease': 'shop/orders', 'novelty': {}}}
                    """))).orElseThrow();

            assertThat(least.strategy()).isEqualTo("OldestCompatibilityVersion");
            assertThat(least.validity()).isEqualTo(Duration.ofMinutes(10));
            assertThat(least.creationTime()).isEqualTo(NOW);
            assertThat(least.pod()).isNull();
            assertThat(least.binaryVersion()).isNull();
            assertThat(least.renewTime()).isNull();
        }

        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                quoteCharacter = '"',
                value = {
                    "{} | {} | spec.canLeadLease is missing",
                    "{} | {'canLeadLease': 'orders'} | spec.canLeadLease: 'orders' is not of the form",
                    "{} | {'canLeadLease': 7} | spec.canLeadLease must be a string",
                    "{'labels': {'binary-version': 'v1'}} | {'canLeadLease': 'a/b'} | metadata.labels.binary-version: 'v1' is not",
                    "{} | {'canLeadLease': 'a/b', 'priority': 'high'} | spec.priority must be a whole number",
                    "{} | {'canLeadLease': 'a/b', 'leaseDurationSeconds': 0} | spec.leaseDurationSeconds must be a whole number from 1",
                    "{} | {'canLeadLease': 'a/b', 'renewTime': 'x'} | spec.renewTime must be a time",
                    "{'annotations': {'coordination.k8s.io/pending-ack': 'x'}} | {'canLeadLease': 'a/b'} | pending-ack must be a time",
                    "{'labels': {'binary-version': '1.2.0', 'compatibility-version': '1.3.0'}} | {'canLeadLease': 'a/b'}"
                            + " | the compatibility version 1.3.0 is above the binary version 1.2.0",
                    "{'annotations': []} | {'canLeadLease': 'a/b'} | metadata.annotations must be an object",
                    "{'ownerReferences': [1]} | {'canLeadLease': 'a/b'} | metadata.ownerReferences must be a list of objects",
                })
        void everyFormatReportsAMalformedObjectWithItsField(String metadata, String spec, String problem) {
            JsonObject object = new JsonObject();
            object.add("metadata", json(metadata.strip()));
            object.getAsJsonObject("metadata").addProperty("namespace", "shop");
            object.getAsJsonObject("metadata").addProperty("name", "x");
            object.add("spec", json(spec.strip()));

            assertThatThrownBy(() -> crd.decode(Fields.of(object)))
                    .isInstanceOf(MalformedObjectException.class)
                    .hasMessageContaining(problem.strip());
        }

        @Test
        void everyFormatIsNotWrittenWithACompatibilityVersionAboveTheBinaryOne() {
            Candidate wrong =
                    candidate().compatibilityVersion(Version.parse("1.30.0")).build();

            for (CandidateJson codec : new CandidateJson[] {crd, ofNative}) {
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> codec.renewal(wrong))
                        .withMessageContaining("1.30.0 is above the binary version 1.29.0");
            }
        }
    }
}
