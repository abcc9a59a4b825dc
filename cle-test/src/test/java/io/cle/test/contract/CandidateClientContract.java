package io.cle.test.contract;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.cle.ApiFormat;
import io.cle.kubernetes.internal.client.CandidateClient;
import io.cle.kubernetes.internal.transport.ResourceType;
import io.cle.model.Candidate;
import io.cle.model.ObjectKey;
import io.cle.model.PodRef;
import io.cle.model.Version;
import io.cle.model.internal.ApiResult;
import io.cle.store.internal.Subscription;
import io.cle.store.internal.WatchEvent;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static io.cle.test.contract.ApiUnderTest.await;
import static io.cle.test.contract.ApiUnderTest.ok;
import static org.assertj.core.api.Assertions.assertThat;

/** The contract of candidate stores, in any wire format. */
@Timeout(120)
abstract class CandidateClientContract {

    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00.123456Z");

    private final Supplier<ApiUnderTest> server;
    private final ApiFormat format;
    private ApiUnderTest api;
    private CandidateClient store;
    private ObjectKey key;

    CandidateClientContract(Supplier<ApiUnderTest> server, ApiFormat format) {
        this.server = server;
        this.format = format;
    }

    @BeforeEach
    final void openStore() {
        api = server.get();
        store = new CandidateClient(api.client(), format);
        key = api.newKey("orders");
    }

    @AfterEach
    final void closeServer() {
        api.close();
    }

    private ResourceType resource() {
        return format == ApiFormat.NATIVE ? ResourceType.NATIVE_CANDIDATES : ResourceType.CRD_CANDIDATES;
    }

    private Candidate candidate() {
        return Candidate.builder(key, new ObjectKey(key.namespace(), "orders"))
                .binaryVersion(Version.parse("1.29.0-rc.1+build.5"))
                .compatibilityVersion(Version.parse("1.28.0"))
                .priority(-7)
                .strategy("NewestCompatibilityVersion")
                .validity(format == ApiFormat.NATIVE ? Duration.ofMinutes(30) : Duration.ofMinutes(12))
                .renewTime(NOW)
                .pod(new PodRef(new ObjectKey(key.namespace(), "orders-7f9c"), "5b3a"))
                .build();
    }

    private static Candidate withoutServersFields(Candidate candidate) {
        return candidate.toBuilder().resourceVersion(null).creationTime(null).build();
    }

    private static JsonObject json(String text) {
        return JsonParser.parseString(text.replace('\'', '"')).getAsJsonObject();
    }

    @Test
    void whereNoCandidateIsNoneIsRead() {
        assertThat(ok(store.read(key))).isEmpty();
    }

    @Test
    void aPingAsksForAnAcknowledgementAndChangesNothingElse() {
        Candidate created = ok(store.create(candidate()));

        Candidate pinged = ok(store.ping(created, NOW.plusSeconds(5)));

        assertThat(pinged.ackPending()).isTrue();
        assertThat(withoutServersFields(pinged))
                .isEqualTo(candidate().toBuilder().pingTime(NOW.plusSeconds(5)).build());
    }

    @Test
    void aCandidateThatIsNotThereCanBeNeitherRenewedNorPinged() {
        assertThat(await(store.renew(candidate()))).isInstanceOf(ApiResult.Gone.class);
        assertThat(await(store.ping(candidate(), NOW))).isInstanceOf(ApiResult.Gone.class);
    }

    @Test
    void aWatchSeesCreationPingRenewalAndEndInThisOrder() {
        EventRecorder<Candidate> events = new EventRecorder<>();
        try (Subscription watch = store.watch(key, events)) {
            assertThat(watch).isNotNull();
            assertThat(events.nextSnapshot().objects()).isEmpty();
            Candidate created = ok(store.create(candidate()));
            Candidate pinged = ok(store.ping(created, NOW.plusSeconds(5)));
            Candidate renewed = ok(store.renew(
                    candidate().toBuilder().renewTime(NOW.plusSeconds(6)).build()));
            ok(store.delete(key, Optional.empty()));

            assertThat(events.nextChanged()).isEqualTo(created);
            assertThat(events.nextChanged()).isEqualTo(pinged);
            assertThat(events.nextChanged()).isEqualTo(renewed);
            WatchEvent<Candidate> last = events.next();
            assertThat(last).isInstanceOf(WatchEvent.Removed.class);
            assertThat(((WatchEvent.Removed<Candidate>) last).key()).isEqualTo(key);
        }
    }

    @Nested
    class Creation {

        @Test
        void theCreationIsReadAsItWasWritten() {
            Candidate created = ok(store.create(candidate()));

            assertThat(created.creationTime()).isNotNull();
            assertThat(withoutServersFields(created)).isEqualTo(candidate());
            assertThat(ok(store.read(key))).contains(created);
        }

        @Test
        void theCreationConflictsIfTheCandidateIsThere() {
            ok(store.create(candidate()));

            assertThat(await(store.create(candidate()))).isInstanceOf(ApiResult.Conflict.class);
        }
    }

    @Nested
    class Listing {

        private Candidate another(String lease) {
            ObjectKey other = api.newKey("orders");
            return Candidate.builder(
                            new ObjectKey(key.namespace(), other.name()), new ObjectKey(key.namespace(), lease))
                    .binaryVersion(Version.parse("1.29.0"))
                    .strategy("NewestCompatibilityVersion")
                    .validity(Duration.ofMinutes(30))
                    .renewTime(NOW)
                    .build();
        }

        @Test
        void listingHasTheCandidatesForTheLeaseAndNoOthers() {
            Candidate first = ok(store.create(candidate()));
            Candidate second = ok(store.create(another("orders")));
            ok(store.create(another("reports")));

            assertThat(ok(store.list(new ObjectKey(key.namespace(), "orders"))))
                    .contains(first, second)
                    .allMatch(candidate -> candidate.lease().name().equals("orders"));
        }
    }

    @Nested
    class Renewal {

        @Test
        void theRenewalIsTheAcknowledgement() {
            ok(store.ping(ok(store.create(candidate())), NOW.plusSeconds(5)));

            Candidate renewed = ok(store.renew(
                    candidate().toBuilder().renewTime(NOW.plusSeconds(6)).build()));

            assertThat(renewed.ackPending()).isFalse();
            assertThat(renewed.renewTime()).isEqualTo(NOW.plusSeconds(6));
        }

        @Test
        void theRenewalWritesAllThatTheCandidateSaysOfItself() {
            ok(store.create(candidate()));
            Candidate changed = candidate().toBuilder()
                    .binaryVersion(Version.parse("1.30.0"))
                    .compatibilityVersion(Version.parse("1.29.0"))
                    .priority(null)
                    .strategy("HighestPriority")
                    .renewTime(NOW.plusSeconds(1))
                    .build();

            assertThat(withoutServersFields(ok(store.renew(changed)))).isEqualTo(changed);
        }

        @Test
        void theRenewalSucceedsAfterTheChangeOfAnotherAndLeavesItAlone() {
            ok(store.create(candidate()));
            api.merge(
                    resource(),
                    key,
                    json("{'metadata': {'labels': {'team': 'blue'}, 'annotations': {'example.com/note': 'keep me'}}}"));

            ok(store.renew(candidate()));

            JsonObject metadata = api.stored(resource(), key).getAsJsonObject("metadata");
            assertThat(metadata.getAsJsonObject("labels").get("team").getAsString())
                    .isEqualTo("blue");
            assertThat(metadata.getAsJsonObject("annotations")
                            .get("example.com/note")
                            .getAsString())
                    .isEqualTo("keep me");
        }
    }

    @Nested
    class Deletion {

        @Test
        void theDeletionSucceedsAlsoIfTheCandidateIsNotThere() {
            ok(store.create(candidate()));

            ok(store.delete(key, Optional.empty()));

            assertThat(ok(store.read(key))).isEmpty();
            assertThat(ok(store.delete(key, Optional.empty()))).isEmpty();
        }

        @Test
        void theDeletionIsOfTheVersionThatWasSeenOnly() {
            Candidate created = ok(store.create(candidate()));
            Candidate renewed = ok(store.renew(
                    candidate().toBuilder().renewTime(NOW.plusSeconds(1)).build()));

            assertThat(await(store.delete(key, Optional.ofNullable(created.resourceVersion()))))
                    .isInstanceOf(ApiResult.Conflict.class);
            assertThat(ok(store.read(key))).contains(renewed);

            ok(store.delete(key, Optional.ofNullable(renewed.resourceVersion())));
            assertThat(ok(store.read(key))).isEmpty();
        }
    }
}
