package io.cle.test.apiserver.contract;

import com.google.gson.JsonObject;
import io.cle.test.apiserver.HttpApi.Reply;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import static io.cle.test.apiserver.memory.ApiServerRequest.MERGE_PATCH;
import static org.assertj.core.api.Assertions.assertThat;

/** The fields of Leases, LeaseCandidates and LeaseConfigurations: which values are kept, dropped and refused. */
abstract class FieldContract extends ContractPart {

    FieldContract(ContractSubject subject) {
        super(subject);
    }

    @Test
    void unknownFieldsAreDropped() {
        JsonObject lease = lease("a");
        lease.addProperty("unknown", 1);
        lease.getAsJsonObject("spec").addProperty("unknown", 1);
        JsonObject candidate = candidate("a", "{\"canLeadLease\": \"shop/orders\", \"unknown\": 1}");
        candidate.addProperty("unknown", 1);

        assertThat(api().post(leases(), lease).text()).doesNotContain("\"unknown\":");
        JsonObject created = api().post(candidates(), candidate).json();
        assertThat(created.has("unknown")).isFalse();
        assertThat(created.getAsJsonObject("spec").keySet()).containsExactlyInAnyOrder("canLeadLease", "renewTime");
    }

    @Test
    void leaseConfigurationNamesALeaseAndAStrategy() {
        String path = "/apis/coordination.cle.io/v1alpha1/namespaces/" + namespace() + "/leaseconfigurations";
        String object = """
                {"apiVersion": "coordination.cle.io/v1alpha1", "kind": "LeaseConfiguration",
                 "metadata": {"name": "%s"}, "spec": {"targetLease": "%s", "strategy": "%s"}}
                """;

        assertThat(api().post(path, json(object.formatted("a", "orders", "NoCoordination")))
                        .code())
                .isEqualTo(201);
        assertThat(api().post(path, json(object.formatted("b", "shop/orders", "x.io/y")))
                        .code())
                .isEqualTo(201);
        assertThat(refusedFields(api().post(path, json(object.formatted("c", "a/b/c", "")))))
                .containsExactly("spec.strategy", "spec.targetLease");
        assertThat(refusedFields(api().post(path, json(object.formatted("c", "orders\\n", "x\\ny")))))
                .containsExactly("spec.strategy", "spec.targetLease");
    }

    @Nested
    class LeaseFields {

        @Test
        void leaseFieldsAreMicroTimesInUtcIfTheyAreTimes() {
            Reply created = api().post(
                            leases(),
                            json("{\"metadata\": {\"name\": \"a\"},"
                                    + " \"spec\": {\"renewTime\": \"2026-01-01T02:00:00.123456+02:00\"}}"));

            assertThat(created.at("spec.renewTime")).isEqualTo("2026-01-01T00:00:00.123456Z");
            for (String time : new String[] {"2026-01-01T00:00:00Z", "2026-01-01T00:00:00.123Z", "yesterday"}) {
                Reply refused = api().post(
                                leases(),
                                json("{\"metadata\": {\"name\": \"b\"}, \"spec\": {\"renewTime\": \"%s\"}}"
                                        .formatted(time)));
                assertThat(refused.code()).as(time).isEqualTo(400);
                assertThat(refused.reason()).isEqualTo("BadRequest");
            }
        }

        @Test
        void leaseFieldsAreRefusedIfTheyAreOfAWrongType() {
            for (String spec : new String[] {
                "{\"leaseDurationSeconds\": \"x\"}", "{\"holderIdentity\": 1}", "{\"leaseTransitions\": 1.5}"
            }) {
                Reply refused =
                        api().post(leases(), json("{\"metadata\": {\"name\": \"a\"}, \"spec\": %s}".formatted(spec)));
                assertThat(refused.code()).as(spec).isEqualTo(400);
            }
        }

        @Test
        void leaseFieldsAreValidated() {
            Reply refused = api().post(
                            leases(),
                            json("{\"metadata\": {\"name\": \"a\"},"
                                    + " \"spec\": {\"leaseDurationSeconds\": 0, \"leaseTransitions\": -1}}"));

            assertThat(refused.code()).isEqualTo(422);
            assertThat(refused.reason()).isEqualTo("Invalid");
            assertThat(refused.message())
                    .startsWith(
                            "Lease.coordination.k8s.io \"a\" is invalid: [spec.leaseDurationSeconds: Invalid value: 0:"
                                    + " must be greater than 0, spec.leaseTransitions: Invalid value: -1: must");
            assertThat(refusedFields(refused)).containsExactly("spec.leaseDurationSeconds", "spec.leaseTransitions");
        }
    }

    @Nested
    class CandidateFields {

        @Test
        void candidateFieldsAreKept() {
            String spec = """
                    {"canLeadLease": "shop/orders.v2", "strategy": "coordination.cle.io/Own", "priority": -3,
                     "leaseDurationSeconds": 600, "renewTime": "2026-01-01T00:00:00.123456Z"}
                    """;

            assertThat(api().post(candidates(), candidate("a", spec)).spec()).isEqualTo(json(spec));
        }

        @Test
        void candidateFieldsAreValidated() {
            assertRefused("{}", "spec.canLeadLease");
            assertRefused("{\"canLeadLease\": \"orders\"}", "spec.canLeadLease");
            assertRefused("{\"canLeadLease\": \"shop/Orders\"}", "spec.canLeadLease");
            assertRefused("{\"canLeadLease\": \"shop/orders/x\"}", "spec.canLeadLease");
            assertRefused("{\"canLeadLease\": \"shop/orders\", \"strategy\": \"\"}", "spec.strategy");
            assertRefused("{\"canLeadLease\": \"shop/orders\", \"strategy\": 1}", "spec.strategy");
            assertRefused("{\"canLeadLease\": \"shop/orders\", \"priority\": \"high\"}", "spec.priority");
            assertRefused("{\"canLeadLease\": \"shop/orders\", \"priority\": 1.5}", "spec.priority");
            assertRefused(
                    "{\"canLeadLease\": \"shop/orders\", \"leaseDurationSeconds\": 0}", "spec.leaseDurationSeconds");
            assertRefused("{\"canLeadLease\": \"shop/orders\", \"renewTime\": null}", "spec.renewTime");
            assertRefused("{\"canLeadLease\": \"shop/orders\", \"renewTime\": \"yesterday\"}", "spec.renewTime");
            assertRefused("{\"canLeadLease\": \"shop/orders\", \"renewTime\": \"2026-01-01\"}", "spec.renewTime");
            assertRefused(
                    "{\"canLeadLease\": \"shop/orders\", \"renewTime\": \"2026-01-01T00:00:00\"}", "spec.renewTime");
            assertThat(api().post(
                                    candidates(),
                                    candidate("a", "{\"canLeadLease\": \"shop/orders\", \"priority\": null}"))
                            .code())
                    .isEqualTo(201);
        }

        @Test
        void candidateFieldsAreValidatedOnEveryWrite() {
            JsonObject created = api().post(candidates(), candidate("a")).json();
            created.getAsJsonObject("spec").addProperty("leaseDurationSeconds", 0);

            Reply updated = api().put(candidates() + "/a", created);
            Reply patched = api().patch(candidates() + "/a", MERGE_PATCH, "{\"spec\": {\"canLeadLease\": null}}");

            assertThat(updated.code()).isEqualTo(422);
            assertThat(updated.message()).startsWith("LeaseCandidate.coordination.cle.io \"a\" is invalid: spec.");
            assertThat(patched.code()).isEqualTo(422);
            // Servers that check CEL rules add a message that some weren't checked.
            assertThat(patched.message())
                    .startsWith("LeaseCandidate.coordination.cle.io \"a\" is invalid: ")
                    .contains("spec.canLeadLease: Required value");
        }

        @Test
        void candidateFieldsHaveNoControlCharactersAndAreBounded() {
            String lease = "{\"canLeadLease\": \"%s\"}";
            String strategy = "{\"canLeadLease\": \"shop/orders\", \"strategy\": \"%s\"}";
            for (String end :
                    new String[] {"\\n", "\\nINFO forged", "\\u001b[2J", "\\r", "\\u0000", "\\u202e", " ", "é"}) {
                assertRefused(lease.formatted("shop/orders" + end), "spec.canLeadLease");
                assertRefused(strategy.formatted("Newest" + end), "spec.strategy");
            }
            assertRefused(lease.formatted("shop/" + "o".repeat(313)), "spec.canLeadLease");
            assertRefused(strategy.formatted("s".repeat(254)), "spec.strategy");
            assertRefused(
                    "{\"canLeadLease\": \"shop/orders\", \"renewTime\": \"2026-01-01T00:00:00.%sZ\"}"
                            .formatted("0".repeat(64)),
                    "spec.renewTime");
        }

        @Test
        void candidateFieldsMayBeAsLongAsTheNamesOfKubernetes() {
            String spec = "{\"canLeadLease\": \"%s/%s\", \"strategy\": \"%s\"}"
                    .formatted("n".repeat(63), "o".repeat(253), "s".repeat(253));

            assertThat(api().post(candidates(), candidate("a", spec)).code()).isEqualTo(201);
        }

        @Test
        void candidateFieldsMayBeStrategiesOfEveryNameThatKubernetesTakes() {
            int number = 0;
            for (String strategy : new String[] {
                "OldestCompatibilityVersion", "coordination.cle.io/Own", "example.com/Near-est_2.0", "x", "9"
            }) {
                String spec = "{\"canLeadLease\": \"shop/orders\", \"strategy\": \"%s\"}".formatted(strategy);
                assertThat(api().post(candidates(), candidate("a" + number++, spec))
                                .code())
                        .as(strategy)
                        .isEqualTo(201);
            }
        }

        @Test
        void candidateFieldsAreRefusedWithoutAKind() {
            JsonObject candidate = candidate("a");
            candidate.remove("kind");

            Reply refused = api().post(candidates(), candidate);

            assertThat(refused.code()).isEqualTo(400);
            assertThat(refused.message()).contains("Object 'Kind' is missing");
        }

        private void assertRefused(String spec, String field) {
            Reply refused = api().post(candidates(), candidate("refused", spec));
            assertThat(refused.code()).as(spec).isEqualTo(422);
            assertThat(refused.reason()).as(spec).isEqualTo("Invalid");
            // Newer servers refuse some values twice, the second time without the field.
            assertThat(refusedFields(refused)).as(spec).contains(field);
        }
    }
}
