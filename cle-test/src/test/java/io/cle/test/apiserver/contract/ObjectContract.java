package io.cle.test.apiserver.contract;

import com.google.gson.JsonObject;
import io.cle.test.apiserver.HttpApi.Reply;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Creating, reading and replacing objects: names, identity, compare and swap. */
abstract class ObjectContract extends ContractPart {

    ObjectContract(ContractSubject subject) {
        super(subject);
    }

    @Test
    void missingObjectIsNotFound() {
        Reply missing = api().get(leases() + "/a");

        assertThat(missing.code()).isEqualTo(404);
        assertThat(missing.reason()).isEqualTo("NotFound");
        assertThat(missing.message()).isEqualTo("leases.coordination.k8s.io \"a\" not found");
        assertThat(missing.at("kind")).isEqualTo("Status");
        assertThat(missing.at("status")).isEqualTo("Failure");
        assertThat(missing.json().get("code").getAsInt()).isEqualTo(404);
        assertThat(missing.json().getAsJsonObject("details"))
                .isEqualTo(json("{\"name\": \"a\", \"group\": \"coordination.k8s.io\", \"kind\": \"leases\"}"));
    }

    @Test
    void resourceThatIsNotServedIsNotFound() {
        assertThat(api().get("/apis/missing.example.com/v1/things").code()).isEqualTo(404);
        assertThat(api().get("/apis/coordination.cle.io/v1alpha1/things").code())
                .isEqualTo(404);
        assertThat(api().post(leases() + "/a", lease("a")).code()).isEqualTo(405);
    }

    @Test
    void objectMustMatchItsAddress() {
        JsonObject elsewhere = lease("a");
        elsewhere.getAsJsonObject("metadata").addProperty("namespace", "elsewhere");

        assertThat(api().post(leases(), elsewhere).code()).isEqualTo(400);
        assertThat(api().put(leases() + "/b", lease("a")).code()).isEqualTo(400);
        assertThat(api().post(candidates(), lease("a")).code()).isEqualTo(400);
        assertThat(api().postText(leases(), "{\"metadata\":").code()).isEqualTo(400);
    }

    @Nested
    class Creation {

        @Test
        void theCreationGivesIdentityAndVersion() {
            Reply created = api().post(leases(), lease("a"));

            assertThat(created.code()).isEqualTo(201);
            assertThat(created.at("kind")).isEqualTo("Lease");
            assertThat(created.at("apiVersion")).isEqualTo("coordination.k8s.io/v1");
            assertThat(created.at("metadata.uid")).hasSize(36);
            assertThat(created.at("metadata.namespace")).isEqualTo(namespace());
            assertThat(created.at("metadata.creationTimestamp")).matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ");
            assertThat(Long.parseLong(created.resourceVersion())).isPositive();
            assertThat(api().get(leases() + "/a").resourceVersion()).isEqualTo(created.resourceVersion());
        }

        @Test
        void theCreationGeneratesNamesFromAPrefix() {
            JsonObject lease = json("{\"metadata\": {\"generateName\": \"orders-\"}}");

            String first = api().post(leases(), lease).at("metadata.name");
            String second = api().post(leases(), lease).at("metadata.name");

            assertThat(first).matches("orders-[a-z0-9]{5}").isNotEqualTo(second);
        }

        @Test
        void theCreationValidatesNamesAndLabels() {
            Reply badName = api().post(leases(), lease("A_b"));
            assertThat(badName.code()).isEqualTo(422);
            assertThat(badName.reason()).isEqualTo("Invalid");
            assertThat(refusedFields(badName)).containsExactly("metadata.name");
            assertThat(refusedFields(api().post(candidates(), candidate("A_b"))))
                    .containsExactly("metadata.name");
            assertThat(refusedFields(api().post(leases(), json("{\"metadata\": {}}"))))
                    .containsExactly("metadata.name");
            assertThat(refusedFields(api().post(leases(), lease("a", "binary-version", "1.0.0+build"))))
                    .containsExactly("metadata.labels");
            assertThat(refusedFields(api().post(leases(), lease("a", "not a key", "x"))))
                    .containsExactly("metadata.labels");
        }

        @Test
        void theCreationValidatesTheKeysOfAnnotations() {
            JsonObject lease = lease("a");
            lease.getAsJsonObject("metadata").add("annotations", json("{\"not a key\": \"x\"}"));

            assertThat(refusedFields(api().post(leases(), lease))).containsExactly("metadata.annotations");
        }

        @Test
        void theCreationConflictsIfTheObjectIsThere() {
            api().post(leases(), lease("a"));

            Reply again = api().post(leases(), lease("a"));

            assertThat(again.code()).isEqualTo(409);
            assertThat(again.reason()).isEqualTo("AlreadyExists");
            assertThat(again.message()).isEqualTo("leases.coordination.k8s.io \"a\" already exists");
            assertThat(again.json().getAsJsonObject("details"))
                    .isEqualTo(json("{\"name\": \"a\", \"group\": \"coordination.k8s.io\", \"kind\": \"leases\"}"));
        }

        @Test
        void theCreationIsRefusedInAMissingNamespace() {
            Reply refused = api().post("/apis/coordination.k8s.io/v1/namespaces/nowhere-at-all/leases", lease("a"));

            assertThat(refused.code()).isEqualTo(404);
            assertThat(refused.message()).isEqualTo("namespaces \"nowhere-at-all\" not found");
            assertThat(names(api().get("/apis/coordination.k8s.io/v1/namespaces/nowhere-at-all/leases")))
                    .isEmpty();
        }

        @Test
        void theCreationIsRefusedWithAResourceVersion() {
            JsonObject lease = lease("a");
            lease.getAsJsonObject("metadata").addProperty("resourceVersion", "5");

            Reply refused = api().post(leases(), lease);

            assertThat(refused.code()).isEqualTo(500);
            assertThat(refused.message()).isEqualTo("resourceVersion should not be set on objects to be created");
        }

        @Test
        void theCreationWritesNothingInADryRun() {
            Reply created = api().post(leases() + "?dryRun=All", lease("a"));

            assertThat(created.code()).isEqualTo(201);
            assertThat(api().get(leases() + "/a").code()).isEqualTo(404);
        }
    }

    @Nested
    class Update {

        @Test
        void theUpdateSwapsWhatWasRead() {
            JsonObject created = api().post(leases(), lease("a")).json();

            Reply updated = api().put(leases() + "/a", heldBy(created, "two"));
            Reply stale = api().put(leases() + "/a", heldBy(created, "three"));

            assertThat(updated.code()).isEqualTo(200);
            assertThat(Long.parseLong(updated.resourceVersion()))
                    .isGreaterThan(Long.parseLong(created.getAsJsonObject("metadata")
                            .get("resourceVersion")
                            .getAsString()));
            assertThat(updated.metadata().get("uid"))
                    .isEqualTo(created.getAsJsonObject("metadata").get("uid"));
            assertThat(stale.code()).isEqualTo(409);
            assertThat(stale.reason()).isEqualTo("Conflict");
            assertThat(stale.message())
                    .isEqualTo("Operation cannot be fulfilled on leases.coordination.k8s.io \"a\": the object has been"
                            + " modified; please apply your changes to the latest version and try again");
            assertThat(api().get(leases() + "/a").at("spec.holderIdentity")).isEqualTo("two");
        }

        @Test
        void theUpdateIsNoWriteIfItChangesNothing() {
            JsonObject created = api().post(leases(), lease("a")).json();

            Reply same = api().put(leases() + "/a", created);

            assertThat(same.code()).isEqualTo(200);
            assertThat(same.json()).isEqualTo(created);
        }

        @Test
        void theUpdateCreatesLeasesButNotCandidates() {
            JsonObject withVersion = lease("b");
            withVersion.getAsJsonObject("metadata").addProperty("resourceVersion", "5");

            assertThat(api().put(leases() + "/a", lease("a")).code()).isEqualTo(201);
            assertThat(api().put(leases() + "/b", withVersion).code()).isEqualTo(201);
            assertThat(api().put(candidates() + "/a", candidate("a")).code()).isEqualTo(404);
        }

        @Test
        void theUpdateIsRefusedIfTheObjectWasNotRead() {
            api().post(leases(), lease("a"));
            api().post(candidates(), candidate("a"));

            Reply lease = api().put(leases() + "/a", lease("a"));
            Reply candidate = api().put(candidates() + "/a", candidate("a"));

            assertThat(lease.code()).isEqualTo(422);
            assertThat(refusedFields(lease)).containsExactly("metadata.resourceVersion");
            assertThat(candidate.code()).isEqualTo(422);
            assertThat(refusedFields(candidate)).containsExactly("metadata.resourceVersion");
        }

        @Test
        void theUpdateIsRefusedIfTheObjectWasDeletedAlsoIfItWasMadeAgain() {
            JsonObject created = api().post(leases(), lease("a")).json();
            api().delete(leases() + "/a");

            Reply gone = api().put(leases() + "/a", created);
            api().post(leases(), lease("a"));
            Reply another = api().put(leases() + "/a", created);

            assertThat(gone.code()).isEqualTo(409);
            assertThat(gone.message()).contains("Precondition failed: UID in precondition");
            assertThat(another.code()).isEqualTo(409);
            assertThat(another.message()).contains("Precondition failed: UID in precondition");
        }
    }
}
