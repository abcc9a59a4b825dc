package io.cle.test.apiserver.contract;

import com.google.gson.JsonObject;
import io.cle.test.apiserver.HttpApi.Reply;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import static io.cle.test.apiserver.memory.ApiServerRequest.MERGE_PATCH;
import static org.assertj.core.api.Assertions.assertThat;

/** Other kinds that leader election uses: pods, events, legacy records, discovery, permissions. */
abstract class OtherKindsContract extends ContractPart {

    OtherKindsContract(ContractSubject subject) {
        super(subject);
    }

    @Test
    void eventsAreSelectedByWhatTheyAreAbout() {
        Reply created = api().post(core("events"), json("""
                                {"metadata": {"name": "a"}, "involvedObject": {"kind": "Lease", "name": "orders",
                                   "namespace": "%s"}, "reason": "LeaderElected", "message": "why", "type": "Normal",
                                 "source": {"component": "coordinator"}, "count": 1,
                                 "firstTimestamp": "2026-01-01T00:00:00Z", "lastTimestamp": "2026-01-01T00:00:00Z"}
                                """.formatted(namespace())));

        assertThat(created.code()).isEqualTo(201);
        assertThat(names(api().get(core("events") + "?fieldSelector=involvedObject.name%3Dorders")))
                .containsExactly("a");
    }

    @Test
    void legacyRecordsAreAnnotations() {
        String record = "{\"metadata\": {\"name\": \"a\", \"annotations\":"
                + " {\"control-plane.alpha.kubernetes.io/leader\": \"%s\"}}}";
        for (String plural : new String[] {"endpoints", "configmaps"}) {
            Reply created = api().post(core(plural), json(record.formatted("one")));
            JsonObject next = created.json();
            next.getAsJsonObject("metadata")
                    .getAsJsonObject("annotations")
                    .addProperty("control-plane.alpha.kubernetes.io/leader", "two");

            assertThat(created.code()).as(plural).isEqualTo(201);
            assertThat(api().put(core(plural) + "/a", next).code()).as(plural).isEqualTo(200);
            assertThat(api().put(core(plural) + "/a", next).code()).as(plural).isEqualTo(409);
        }
    }

    @Test
    void namespacesAreObjects() {
        assertThat(api().get("/api/v1/namespaces/default").code()).isEqualTo(200);
        assertThat(api().get("/api/v1/namespaces/kube-system").code()).isEqualTo(200);
        Reply mine = api().get("/api/v1/namespaces/" + namespace());
        assertThat(mine.at("status.phase")).isEqualTo("Active");
        assertThat(refusedFields(api().post("/api/v1/namespaces", json("{\"metadata\": {\"name\": \"a.b\"}}"))))
                .contains("metadata.name");
    }

    @Test
    void definitionsAreObjects() {
        Reply definition = api().get(
                        "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/leasecandidates.coordination.cle.io");

        assertThat(definition.code()).isEqualTo(200);
        assertThat(definition.json().getAsJsonObject("status").getAsJsonArray("conditions").asList().stream()
                        .map(condition -> condition
                                        .getAsJsonObject()
                                        .get("type")
                                        .getAsString() + "="
                                + condition.getAsJsonObject().get("status").getAsString()))
                .contains("Established=True", "NamesAccepted=True");
    }

    @Test
    void discoveryListsGroupsVersionsAndKinds() {
        assertThat(api().get("/version").at("gitVersion")).startsWith("v1.");
        assertThat(api().get("/readyz").code()).isEqualTo(200);
        assertThat(api().get("/api").json().getAsJsonArray("versions").toString())
                .isEqualTo("[\"v1\"]");
        assertThat(api().get("/apis").text()).contains("coordination.k8s.io/v1", "coordination.cle.io/v1alpha1");
        JsonObject group = api().get("/apis/coordination.cle.io").json();
        assertThat(group.getAsJsonObject("preferredVersion").get("groupVersion").getAsString())
                .isEqualTo("coordination.cle.io/v1alpha1");
        JsonObject resources = api().get("/apis/coordination.cle.io/v1alpha1").json();
        assertThat(resources.get("kind").getAsString()).isEqualTo("APIResourceList");
        JsonObject candidates = resources.getAsJsonArray("resources").asList().stream()
                .map(resource -> resource.getAsJsonObject())
                .filter(resource -> resource.get("name").getAsString().equals("leasecandidates"))
                .findFirst()
                .orElseThrow();
        assertThat(candidates.get("kind").getAsString()).isEqualTo("LeaseCandidate");
        assertThat(candidates.get("namespaced").getAsBoolean()).isTrue();
        assertThat(candidates.getAsJsonArray("shortNames").toString()).isEqualTo("[\"lcand\"]");
        assertThat(api().get("/apis/missing.example.com/v1").code()).isEqualTo(404);
    }

    @Test
    void accessReviewsSayWhatIsAllowed() {
        Reply review =
                api().post("/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", json("""
                                {"apiVersion": "authorization.k8s.io/v1", "kind": "SelfSubjectAccessReview",
                                 "spec": {"resourceAttributes": {"namespace": "%s", "verb": "update",
                                   "group": "coordination.k8s.io", "resource": "leases"}}}
                                """.formatted(namespace())));

        assertThat(review.code()).isEqualTo(201);
        assertThat(review.json().getAsJsonObject("status").get("allowed").getAsBoolean())
                .isTrue();
    }

    @Test
    void theStatusOfAConfigurationIsWrittenOnItsOwn() {
        Reply created = api().post(configurations(), configuration("a"));
        String path = configurations() + "/a";

        Reply beside = api().patch(path, MERGE_PATCH, accepted());
        Reply status = api().patch(
                        path + "/status",
                        MERGE_PATCH,
                        accepted().replace("{\"status\":", "{\"spec\": {\"targetLease\": \"*\"}, \"status\":"));

        assertThat(beside.json().has("status")).isFalse();
        assertThat(status.code()).as(status.text()).isEqualTo(200);
        assertThat(status.at("spec.targetLease")).isEqualTo("ord*");
        assertThat(status.at("status.observedGeneration")).isEqualTo("1");
        assertThat(status.at("metadata.generation")).isEqualTo(created.at("metadata.generation"));
    }

    @Nested
    class Pod {

        @Test
        void thePodBeginsAsPendingAndHasItsStatusWrittenOnItsOwn() {
            Reply created = api().post(core("pods"), pod("a"));
            JsonObject relabelled = api().get(core("pods") + "/a").json();
            relabelled.getAsJsonObject("metadata").add("labels", json("{\"x\": \"y\"}"));
            relabelled.getAsJsonObject("status").addProperty("phase", "Failed");

            assertThat(created.code()).isEqualTo(201);
            assertThat(phase(created)).isEqualTo("Pending");
            assertThat(phase(api().put(core("pods") + "/a", relabelled))).isEqualTo("Pending");
            Reply running =
                    api().patch(core("pods") + "/a/status", MERGE_PATCH, "{\"status\": {\"phase\": \"Running\"}}");
            assertThat(running.code()).isEqualTo(200);
            assertThat(phase(running)).isEqualTo("Running");
            assertThat(running.metadata().getAsJsonObject("labels")).isEqualTo(json("{\"x\": \"y\"}"));
            assertThat(names(api().get(core("pods") + "?fieldSelector=status.phase%3DRunning")))
                    .containsExactly("a");
        }

        private JsonObject pod(String name) {
            return json("""
                    {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "%s"},
                     "spec": {"containers": [{"name": "main", "image": "none"}]},
                     "status": {"phase": "Succeeded"}}
                    """.formatted(name));
        }

        private static String phase(Reply pod) {
            return pod.at("status.phase");
        }
    }
}
