package io.cle.test.apiserver.contract;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.cle.test.apiserver.HttpApi.Reply;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import static io.cle.test.apiserver.memory.ApiServerRequest.MERGE_PATCH;
import static org.assertj.core.api.Assertions.assertThat;

/** Lists: selectors, resourceVersions, tables. */
abstract class ListContract extends ContractPart {

    ListContract(ContractSubject subject) {
        super(subject);
    }

    /** The {@code Accept} header of {@code kubectl get}. */
    static final String TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io,application/json";

    @Test
    void listIsOfOneNamespaceInOrderOfNames() {
        api().post(leases(), lease("b"));
        api().post(leases(), lease("a"));

        Reply list = api().get(leases());

        assertThat(list.at("kind")).isEqualTo("LeaseList");
        assertThat(list.at("apiVersion")).isEqualTo("coordination.k8s.io/v1");
        assertThat(Long.parseLong(list.resourceVersion())).isPositive();
        assertThat(names(list)).containsExactly("a", "b");
        assertThat(names(api().get("/apis/coordination.k8s.io/v1/leases"))).contains("a", "b");
    }

    @Test
    void itemsOfCustomKindsSayWhatTheyAre() {
        api().post(leases(), lease("a"));
        api().post(candidates(), candidate("a"));

        JsonObject lease =
                api().get(leases()).json().getAsJsonArray("items").get(0).getAsJsonObject();
        JsonObject candidate =
                api().get(candidates()).json().getAsJsonArray("items").get(0).getAsJsonObject();

        assertThat(lease.has("kind")).isFalse();
        assertThat(candidate.get("kind").getAsString()).isEqualTo("LeaseCandidate");
    }

    @Nested
    class Selector {

        @Test
        void theSelectorSelectsByLabels() {
            api().post(leases(), lease("a", "tier", "one"));
            api().post(leases(), lease("b", "tier", "two"));
            api().post(leases(), lease("c", "other", "one"));

            assertThat(selected("tier=one")).containsExactly("a");
            assertThat(selected("tier==one")).containsExactly("a");
            assertThat(selected("tier!=one")).containsExactly("b", "c");
            assertThat(selected("tier in (one, two)")).containsExactly("a", "b");
            assertThat(selected("tier notin (one)")).containsExactly("b", "c");
            assertThat(selected("tier")).containsExactly("a", "b");
            assertThat(selected("!tier")).containsExactly("c");
            assertThat(selected("tier,tier!=one")).containsExactly("b");
            assertThat(selected("tier in (one, two),tier!=two")).containsExactly("a");
        }

        @Test
        void theSelectorSelectsByName() {
            api().post(leases(), lease("a"));
            api().post(leases(), lease("b"));
            api().post(candidates(), candidate("a"));

            assertThat(names(api().get(leases() + "?fieldSelector=metadata.name%3Da")))
                    .containsExactly("a");
            assertThat(names(api().get(leases() + "?fieldSelector=metadata.name!%3Da")))
                    .containsExactly("b");
            assertThat(names(api().get(candidates() + "?fieldSelector=metadata.name%3Da,metadata.namespace%3D"
                            + namespace())))
                    .containsExactly("a");
        }

        @Test
        void theSelectorIsRefusedIfItIsMalformed() {
            assertThat(api().get(leases() + "?labelSelector=a%20b").code()).isEqualTo(400);
            assertThat(api().get(leases() + "?fieldSelector=spec.holderIdentity%3Done")
                            .code())
                    .isEqualTo(400);
            assertThat(api().get(candidates() + "?fieldSelector=spec.strategy%3Done")
                            .code())
                    .isEqualTo(400);
        }

        private List<String> selected(String selector) {
            return names(api().get(leases() + "?labelSelector=" + URLEncoder.encode(selector, StandardCharsets.UTF_8)));
        }
    }

    @Nested
    class ListFrom {

        @Test
        void aKnownResourceVersionIsAnswered() {
            String created = api().post(candidates(), candidate("a")).resourceVersion();

            assertThat(names(api().get(candidates() + "?resourceVersion=" + created)))
                    .containsExactly("a");
            assertThat(api().get(candidates() + "?resourceVersion=0").code()).isEqualTo(200);
            assertThat(api().get(candidates() + "/a?resourceVersion=" + created).code())
                    .isEqualTo(200);
        }

        @Test
        void theFutureTimesOut() {
            Reply refused = api().get(leases() + "?resourceVersion=999999999");

            assertThat(refused.code()).isEqualTo(504);
            assertThat(refused.reason()).isEqualTo("Timeout");
            assertThat(refused.message()).startsWith("Timeout: Too large resource version: 999999999, current: ");
            assertThat(refused.json()
                            .getAsJsonObject("details")
                            .getAsJsonArray("causes")
                            .toString())
                    .contains("ResourceVersionTooLarge");
        }
    }

    @Nested
    class Pages {

        @Test
        void pagesAreOfTheStateThatTheFirstOneShows() {
            List.of("a", "b", "c", "e").forEach(name -> api().post(leases(), lease(name)));

            Reply first = api().get(leases() + "?limit=2");
            api().delete(leases() + "/c");
            api().post(leases(), lease("d"));
            Reply second = api().get(leases() + "?limit=1&continue=" + continuation(first));
            Reply third = api().get(leases() + "?limit=1&continue=" + continuation(second));

            assertThat(names(first)).containsExactly("a", "b");
            assertThat(remaining(first)).isEqualTo(2);
            assertThat(names(second)).containsExactly("c");
            assertThat(names(third)).containsExactly("e");
            assertThat(continuation(third)).isEmpty();
            assertThat(second.resourceVersion()).isEqualTo(first.resourceVersion());
            assertThat(third.resourceVersion()).isEqualTo(first.resourceVersion());
        }

        @Test
        void pagesCountOnlyWhatIsSelected() {
            List.of("a", "b", "c").forEach(name -> api().post(leases(), lease(name, "tier", "one")));
            api().post(leases(), lease("bb", "tier", "two"));

            Reply first = api().get(leases() + "?labelSelector=tier%3Done&limit=2");
            Reply second = api().get(leases() + "?labelSelector=tier%3Done&limit=2&continue=" + continuation(first));

            assertThat(names(first)).containsExactly("a", "b");
            assertThat(remaining(first)).as("not given with a selector").isZero();
            assertThat(names(second)).containsExactly("c");
        }

        @Test
        void pagesAreRefusedForAMalformedContinueToken() {
            assertThat(api().get(leases() + "?limit=2&continue=nonsense").code())
                    .isEqualTo(400);
        }

        @Test
        void pagesAreRefusedForAContinueTokenWithAResourceVersion() {
            List.of("a", "b").forEach(name -> api().post(leases(), lease(name)));
            Reply first = api().get(leases() + "?limit=1");

            assertThat(api().get(leases() + "?limit=1&resourceVersion=" + first.resourceVersion() + "&continue="
                                    + continuation(first))
                            .code())
                    .isEqualTo(400);
        }

        private static String continuation(Reply list) {
            JsonElement token = list.json().getAsJsonObject("metadata").get("continue");
            return token == null ? "" : URLEncoder.encode(token.getAsString(), StandardCharsets.UTF_8);
        }

        private static int remaining(Reply list) {
            JsonElement count = list.json().getAsJsonObject("metadata").get("remainingItemCount");
            return count == null ? 0 : count.getAsInt();
        }
    }

    @Nested
    class Table {

        @Test
        void theTableShowsLeasesWithTheirHolders() {
            api().post(leases(), lease("a"));

            JsonObject table = api().get(leases(), TABLE).json();

            assertThat(table.get("kind").getAsString()).isEqualTo("Table");
            assertThat(columns(table)).containsExactly("Name", "Holder", "Age");
            assertThat(cells(table).subList(0, 2)).containsExactly("a", "one");
        }

        @Test
        void theTableShowsCandidatesAsTheirDefinitionSays() {
            JsonObject candidate =
                    candidate("a", "{\"canLeadLease\": \"shop/orders\", \"strategy\": \"S\", \"priority\": 3}");
            candidate
                    .getAsJsonObject("metadata")
                    .add("labels", json("{\"binary-version\": \"1.1.0\", \"compatibility-version\": \"1.0.0\"}"));
            api().post(candidates(), candidate);

            JsonObject table = api().get(candidates() + "/a", TABLE).json();

            assertThat(columns(table))
                    .containsExactly(
                            "Name", "Lease", "Binary", "Compatibility", "Strategy", "Priority", "Renewed", "Age");
            assertThat(cells(table).subList(0, 5)).containsExactly("a", "shop/orders", "1.1.0", "1.0.0", "S");
        }

        @Test
        void theTableShowsWhetherAConfigurationIsInForce() {
            api().post(configurations(), configuration("a"));

            JsonObject before = api().get(configurations(), TABLE).json();
            api().patch(configurations() + "/a/status", MERGE_PATCH, accepted());
            JsonObject table = api().get(configurations(), TABLE).json();

            assertThat(columns(table)).containsExactly("Name", "Lease", "Strategy", "Accepted", "Reason", "Age");
            assertThat(cells(before).subList(0, 5)).containsExactly("a", "ord*", "NoCoordination", "", "");
            assertThat(cells(table).subList(0, 5)).containsExactly("a", "ord*", "NoCoordination", "True", "InForce");
        }

        private static List<String> columns(JsonObject table) {
            return table.getAsJsonArray("columnDefinitions").asList().stream()
                    .map(column -> column.getAsJsonObject().get("name").getAsString())
                    .toList();
        }

        private static List<String> cells(JsonObject table) {
            return table.getAsJsonArray("rows").get(0).getAsJsonObject().getAsJsonArray("cells").asList().stream()
                    .map(cell -> cell.isJsonNull() ? "" : cell.getAsString())
                    .toList();
        }
    }
}
