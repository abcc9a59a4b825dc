package io.cle.test.apiserver.contract;

import java.util.Set;

import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import io.cle.test.apiserver.HttpApi.Reply;
import io.cle.test.apiserver.WatchReader;
import io.cle.test.apiserver.store.Metadata;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import static io.cle.test.apiserver.memory.ApiServerRequest.MERGE_PATCH;
import static org.assertj.core.api.Assertions.assertThat;

/** Watches: start, selector, timeout. */
abstract class WatchContract extends ContractPart {

    WatchContract(ContractSubject subject) {
        super(subject);
    }

    @Test
    void noWriteIsNoEvent() {
        JsonObject created = api().post(leases(), lease("a")).json();
        String seen = created.getAsJsonObject("metadata").get("resourceVersion").getAsString();
        try (WatchReader watch = api().watch(leases() + "?watch=true&resourceVersion=" + seen)) {
            api().put(leases() + "/a", created);
            api().delete(leases() + "/a");

            assertThat(type(watch.next())).isEqualTo("DELETED");
        }
    }

    @Test
    void watchEndsAfterItsTimeout() {
        String seen = api().get(leases()).resourceVersion();
        try (WatchReader watch = api().watch(leases() + "?watch=true&timeoutSeconds=1&resourceVersion=" + seen)) {
            assertThat(watch.code()).isEqualTo(200);
            watch.expectEnd();
        }
    }

    @Test
    void watchShowsTablesIfAsked() {
        api().post(leases(), lease("a"));

        try (WatchReader watch = api().watch(leases() + "?watch=true", ListContract.TABLE)) {
            JsonObject table = watch.next().getAsJsonObject("object");
            assertThat(table.get("kind").getAsString()).isEqualTo("Table");
            assertThat(table.getAsJsonArray("rows")).hasSize(1);
        }
    }

    @Nested
    class WatchFrom {

        @Test
        void aListGoesOnWithoutAGap() {
            api().post(leases(), lease("before"));
            String seen = api().get(leases()).resourceVersion();
            Reply created = api().post(leases(), lease("a"));
            Reply updated = api().put(leases() + "/a", heldBy(created.json(), "two"));
            api().delete(leases() + "/a");

            try (WatchReader watch = api().watch(leases() + "?watch=true&resourceVersion=" + seen)) {
                JsonObject added = watch.next();
                JsonObject modified = watch.next();
                JsonObject deleted = watch.next();
                api().post(leases(), lease("b"));

                assertThat(type(added)).isEqualTo("ADDED");
                assertThat(added.getAsJsonObject("object")).isEqualTo(created.json());
                assertThat(type(modified)).isEqualTo("MODIFIED");
                assertThat(modified.getAsJsonObject("object")).isEqualTo(updated.json());
                assertThat(type(deleted)).isEqualTo("DELETED");
                assertThat(Metadata.at(deleted, "object.spec.holderIdentity")).isEqualTo(new JsonPrimitive("two"));
                assertThat(version(deleted)).isGreaterThan(version(modified));
                assertThat(name(watch.next())).isEqualTo("b");
            }
        }

        @Test
        void watchFromNowhereBeginsWithWhatIsThere() {
            watchBeginsWithWhatIsThere("");
        }

        @Test
        void watchFromAnyVersionBeginsWithWhatIsThere() {
            watchBeginsWithWhatIsThere("&resourceVersion=0");
        }

        private void watchBeginsWithWhatIsThere(String from) {
            api().post(candidates(), candidate("b"));
            api().post(candidates(), candidate("a"));

            try (WatchReader watch = api().watch(candidates() + "?watch=true" + from)) {
                JsonObject first = watch.next();
                JsonObject second = watch.next();
                api().post(candidates(), candidate("c"));

                assertThat(type(first)).isEqualTo("ADDED");
                assertThat(Set.of(name(first), name(second))).containsExactlyInAnyOrder("a", "b");
                assertThat(name(watch.next())).isEqualTo("c");
            }
        }

        @Test
        void aCompactedVersionGetsAnErrorThatSaysSo() {
            api().post(candidates(), candidate("a"));

            try (WatchReader watch = api().watch(candidates() + "?watch=true&resourceVersion=1")) {
                assertThat(watch.code()).isEqualTo(200);
                JsonObject error = watch.next();
                assertThat(type(error)).isEqualTo("ERROR");
                JsonObject status = error.getAsJsonObject("object");
                assertThat(status.get("kind").getAsString()).isEqualTo("Status");
                assertThat(status.get("code").getAsInt()).isEqualTo(410);
                assertThat(status.get("reason").getAsString()).isEqualTo("Expired");
                assertThat(status.get("message").getAsString()).startsWith("too old resource version: 1 (");
                watch.expectEnd();
            }
        }
    }

    @Nested
    class WatchOf {

        @Test
        void oneObjectByName() {
            String seen = api().post(leases(), lease("a")).resourceVersion();
            try (WatchReader watch =
                    api().watch(leases() + "?watch=true&fieldSelector=metadata.name%3Da&resourceVersion=" + seen)) {
                api().post(leases(), lease("b"));
                api().delete(leases() + "/a");

                JsonObject deleted = watch.next();
                assertThat(type(deleted)).isEqualTo("DELETED");
                assertThat(name(deleted)).isEqualTo("a");
            }
        }

        @Test
        void allNamespaces() {
            String seen = api().get("/apis/coordination.cle.io/v1alpha1/leasecandidates")
                    .resourceVersion();
            try (WatchReader watch = api().watch(
                            "/apis/coordination.cle.io/v1alpha1/leasecandidates?watch=true&resourceVersion=" + seen)) {
                api().post(candidates(), candidate("a"));

                JsonObject added = watch.next();
                assertThat(added.toString()).contains("\"namespace\":\"" + namespace() + "\"");
            }
        }

        @Test
        void aLabelSeesAChangeAsAnAdditionOrADeletion() {
            String seen = api().get(leases()).resourceVersion();
            try (WatchReader watch =
                    api().watch(leases() + "?watch=true&labelSelector=tier%3Done&resourceVersion=" + seen)) {
                api().post(leases(), lease("a", "tier", "two"));
                api().patch(leases() + "/a", MERGE_PATCH, "{\"metadata\": {\"labels\": {\"tier\": \"one\"}}}");
                api().patch(leases() + "/a", MERGE_PATCH, "{\"spec\": {\"holderIdentity\": \"two\"}}");
                api().patch(leases() + "/a", MERGE_PATCH, "{\"metadata\": {\"labels\": {\"tier\": \"two\"}}}");

                assertThat(type(watch.next())).isEqualTo("ADDED");
                assertThat(type(watch.next())).isEqualTo("MODIFIED");
                JsonObject deleted = watch.next();
                assertThat(type(deleted)).isEqualTo("DELETED");
                assertThat(deleted.toString()).contains("\"tier\":\"one\"");
                assertThat(version(deleted))
                        .isEqualTo(Long.parseLong(api().get(leases() + "/a").resourceVersion()));
            }
        }
    }

    private static String type(JsonObject event) {
        return Metadata.text(event, "type");
    }

    private static String name(JsonObject event) {
        return Metadata.name(event.getAsJsonObject("object"));
    }

    private static long version(JsonObject event) {
        return Metadata.version(event.getAsJsonObject("object"));
    }
}
