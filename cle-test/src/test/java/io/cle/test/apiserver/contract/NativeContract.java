package io.cle.test.apiserver.contract;

import com.google.gson.JsonObject;
import io.cle.test.apiserver.HttpApi.Reply;
import io.cle.test.apiserver.WatchReader;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import static io.cle.test.apiserver.memory.ApiServerRequest.MERGE_PATCH;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Additional behaviour of servers with native coordinated leader election: LeaseCandidates of
 * {@code coordination.k8s.io/v1beta1}, and {@code strategy} and {@code preferredHolder} of Leases. These servers are
 * new, and also do some other things that old ones don't.
 */
public abstract class NativeContract extends ContractPart {

    protected NativeContract(ContractSubject subject) {
        super(subject);
    }

    /** Returns the path of the native LeaseCandidates of the test's namespace. */
    String nativeCandidates() {
        return "/apis/coordination.k8s.io/v1beta1/namespaces/" + namespace() + "/leasecandidates";
    }

    /** The two fields of a Lease and their validation. */
    @Test
    void leaseHasAStrategyAndAPreferredHolder() {
        Reply created = api().post(leases(), object("a", "{\"strategy\": \"x.io/y\", \"preferredHolder\": \"two\"}"));

        assertThat(created.code()).isEqualTo(201);
        assertThat(created.at("spec.strategy")).isEqualTo("x.io/y");
        assertThat(created.at("spec.preferredHolder")).isEqualTo("two");
        Reply alone = api().post(leases(), object("b", "{\"preferredHolder\": \"two\"}"));
        assertThat(alone.code()).isEqualTo(422);
        assertThat(alone.message())
                .isEqualTo("Lease.coordination.k8s.io \"b\" is invalid: spec.preferredHolder: Forbidden: may only be"
                        + " specified if `strategy` is defined");
        assertThat(refusedFields(api().post(leases(), object("b", "{\"strategy\": \"NoCoordination\"}"))))
                .containsExactly("spec.strategy.strategy");
        assertThat(refusedFields(api().post(leases(), object("b", "{\"strategy\": \"\"}"))))
                .containsExactly("spec.strategy.strategy");
    }

    /** Newer servers refuse unknown fields if the client asks for strict validation, as {@code kubectl} does. */
    @Test
    void unknownFieldsAreRefusedWhereTheClientIsStrict() {
        Reply refused = api().post(
                        candidates() + "?fieldValidation=Strict",
                        candidate("a", "{\"canLeadLease\": \"shop/orders\", \"prority\": 1}"));

        assertThat(refused.code()).isEqualTo(400);
        assertThat(refused.message()).contains("strict decoding error: unknown field \"spec.prority\"");
    }

    /** Newer servers send a bookmark shortly before a watch times out; old ones only once a minute. */
    @Test
    void bookmarkSaysBeforeTheEndHowFarTheWatchHasSeen() {
        String seen = api().post(leases(), lease("a")).resourceVersion();
        try (WatchReader watch = api().watch(
                        leases() + "?watch=true&allowWatchBookmarks=true&timeoutSeconds=5&resourceVersion=" + seen)) {
            JsonObject bookmark = watch.next();

            assertThat(bookmark.get("type").getAsString()).isEqualTo("BOOKMARK");
            assertThat(bookmark.getAsJsonObject("object").get("kind").getAsString())
                    .isEqualTo("Lease");
            assertThat(bookmark.getAsJsonObject("object")
                            .getAsJsonObject("metadata")
                            .get("resourceVersion")
                            .getAsLong())
                    .isGreaterThanOrEqualTo(Long.parseLong(seen));
        }
    }

    @Nested
    class NativeCandidate {

        /** Discovery lists it. */
        @Test
        void nativeCandidateIsDiscovered() {
            JsonObject resources =
                    api().get("/apis/coordination.k8s.io/v1beta1").json();
            assertThat(resources.toString()).contains("leasecandidates").contains("LeaseCandidate");
            assertThat(api().get("/apis/coordination.k8s.io").text()).contains("coordination.k8s.io/v1beta1");
            assertThat(api().get("/apis/coordination.k8s.io").at("preferredVersion.version"))
                    .isEqualTo("v1");
        }

        /** Valid fields are kept; unknown fields are dropped. */
        @Test
        void nativeCandidateKeepsWhatItSays() {
            JsonObject spec = json("""
                    {"leaseName": "orders", "binaryVersion": "1.1.0", "emulationVersion": "1.0.0", "strategy": "x.io/y",
                     "renewTime": "2026-01-01T00:00:00.123456Z", "pingTime": "2026-01-01T00:00:00.000000Z"}
                    """);
            JsonObject sent = spec.deepCopy();
            sent.addProperty("unknown", 1);

            Reply created = post("a", sent.toString());

            assertThat(created.code()).isEqualTo(201);
            assertThat(created.at("apiVersion")).isEqualTo("coordination.k8s.io/v1beta1");
            assertThat(created.spec()).isEqualTo(spec);
        }

        /** The rules of Kubernetes' own validation. */
        @Test
        void nativeCandidateIsValidated() {
            assertRefused("{}", "spec.binaryVersion", "spec.leaseName", "spec.strategy");
            assertRefused(spec("v1.0.0", "", "x.io/y"), "spec.binaryVersion");
            assertRefused(spec("1.0", "", "x.io/y"), "spec.binaryVersion");
            assertRefused(spec("1.0.0", "1", "x.io/y"), "spec.emulationVersion");
            assertRefused(spec("1.0.0", "1.1.0", "x.io/y"), "spec.binaryVersion");
            assertRefused(spec("1.0.0-rc.1", "1.0.0", "x.io/y"), "spec.binaryVersion");
            assertRefused(spec("1.0.0", "", "OldestEmulationVersion"), "spec.emulationVersion");
            assertRefused(spec("1.0.0", "1.0.0", "NoCoordination"), "spec.strategy.strategy");
            assertRefused(spec("1.0.0", "1.0.0", "x.io/"), "spec.strategy.strategy");
            assertRefused(spec("1.0.0", "1.0.0", "x.io/y/z"), "spec.strategy.strategy");
            assertRefused(spec("1.0.0", "1.0.0", "-.io/y"), "spec.strategy.strategy");
            assertThat(post("a", "{\"leaseName\": \"l\", \"renewTime\": \"yesterday\"}")
                            .code())
                    .isEqualTo(400);
            assertThat(post("a", "{\"leaseName\": 1}").code()).isEqualTo(400);
        }

        /** Optional fields may be omitted; semantic versions may have pre-releases and build metadata. */
        @Test
        void nativeCandidateMayBeBrief() {
            assertThat(post("a", spec("1.0.0", "", "x.io/y")).code()).isEqualTo(201);
            assertThat(post("b", spec("1.0.0-rc.1+build.5", "1.0.0-alpha", "x.io/y"))
                            .code())
                    .isEqualTo(201);
        }

        /** A candidate's name is a holder's identity, and may look like one. */
        @Test
        void nativeCandidateMayHaveCapitalsAndUnderscoresInItsName() {
            assertThat(post("Host_1.example", spec("1.0.0", "", "x.io/y")).code())
                    .isEqualTo(201);
            assertThat(refusedFields(post("not/this", spec("1.0.0", "", "x.io/y"))))
                    .contains("metadata.name");
        }

        /** The lease of a candidate is immutable. */
        @Test
        void nativeCandidateHasALeaseNameThatIsImmutable() {
            post("a", spec("1.0.0", "", "x.io/y"));

            Reply refused =
                    api().patch(nativeCandidates() + "/a", MERGE_PATCH, "{\"spec\": {\"leaseName\": \"other\"}}");

            assertThat(refused.code()).isEqualTo(422);
            assertThat(refusedFields(refused)).containsExactly("spec.leaseName");
        }

        /** As with Leases, a PUT may create an object, and must not overwrite one that wasn't read. */
        @Test
        void nativeCandidateIsCreatedByPutAndNotUpdatedUnread() {
            JsonObject candidate = object("a", spec("1.0.0", "", "x.io/y"));

            assertThat(api().put(nativeCandidates() + "/a", candidate).code()).isEqualTo(201);
            assertThat(refusedFields(api().put(nativeCandidates() + "/a", candidate)))
                    .containsExactly("metadata.resourceVersion");
        }

        /** A client that needs the candidates of one lease has to list all of the namespace. */
        @Test
        void nativeCandidateCannotBeSelectedByItsLease() {
            assertThat(api().get(nativeCandidates() + "?fieldSelector=spec.leaseName%3Dorders")
                            .code())
                    .isEqualTo(400);
        }

        /** The columns of {@code kubectl get}. */
        @Test
        void nativeCandidateIsShownInATableWithItsVersions() {
            post("a", spec("1.1.0", "1.0.0", "x.io/y"));

            JsonObject table = api().get(nativeCandidates(), ListContract.TABLE).json();

            assertThat(table.getAsJsonArray("columnDefinitions").asList().stream()
                            .map(column -> column.getAsJsonObject().get("name").getAsString()))
                    .containsExactly("Name", "LeaseName", "BinaryVersion", "EmulationVersion", "Age");
            assertThat(table.getAsJsonArray("rows")
                            .get(0)
                            .getAsJsonObject()
                            .getAsJsonArray("cells")
                            .toString())
                    .startsWith("[\"a\",\"orders\",\"1.1.0\",\"1.0.0\",");
        }

        private static String spec(String binaryVersion, String emulationVersion, String strategy) {
            return "{\"leaseName\": \"orders\", \"binaryVersion\": \"%s\", \"emulationVersion\": \"%s\", \"strategy\": \"%s\"}"
                    .formatted(binaryVersion, emulationVersion, strategy);
        }

        private Reply post(String name, String spec) {
            return api().post(nativeCandidates(), object(name, spec));
        }

        private void assertRefused(String spec, String... fields) {
            Reply refused = post("refused", spec);
            assertThat(refused.code()).as(spec).isEqualTo(422);
            assertThat(refusedFields(refused)).as(spec).containsExactly(fields);
        }
    }

    private JsonObject object(String name, String spec) {
        return json("{\"metadata\": {\"name\": \"%s\"}, \"spec\": %s}".formatted(name, spec));
    }
}
