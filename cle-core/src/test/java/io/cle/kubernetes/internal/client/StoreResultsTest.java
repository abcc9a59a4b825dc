package io.cle.kubernetes.internal.client;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;

import io.cle.ApiFormat;
import io.cle.ResourceLock;
import io.cle.kubernetes.internal.transport.ApiRequest;
import io.cle.kubernetes.internal.transport.ApiResponse;
import io.cle.kubernetes.internal.transport.FakeTransport;
import io.cle.kubernetes.internal.transport.KubernetesTransport;
import io.cle.kubernetes.internal.transport.ResourceType;
import io.cle.lock.internal.VirtualLoop;
import io.cle.model.Candidate;
import io.cle.model.ObjectKey;
import io.cle.model.Version;
import io.cle.model.internal.ApiResult;
import io.cle.model.internal.Lease;
import io.cle.model.internal.TermAnnotation;
import io.cle.store.internal.LeaseApi;
import io.cle.store.internal.Subscription;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

/** The results of an API server's answers. Rule: {@code safety.md#unknown-outcome}. */
class StoreResultsTest {

    private static final ObjectKey ORDERS = new ObjectKey("shop", "orders");
    private static final String STORED = "{'metadata': {'namespace': 'shop', 'name': 'orders', 'resourceVersion': '8'},"
            + " 'spec': {'holderIdentity': 'a', 'leaseDurationSeconds': 15}}";

    private final VirtualLoop loop = new VirtualLoop();
    private final FakeTransport transport = new FakeTransport();
    private final ObjectClient client = new ObjectClient(transport, loop, new Random(1), Duration.ofSeconds(5));
    private final LeaseClient leases = LeaseClient.of(client, ApiFormat.CRD, null);
    private final CandidateClient candidates = new CandidateClient(client, ApiFormat.CRD);
    private final Lease lease =
            Lease.builder(ORDERS).resourceVersion("7").holder("a").build();

    private <T> ApiResult<T> resultOf(CompletionStage<ApiResult<T>> stage) {
        AtomicReference<ApiResult<T>> result = new AtomicReference<>();
        stage.thenAccept(result::set);
        assertThat(result).as("nothing is completed outside of the loop").hasNullValue();
        loop.runReady();
        return result.get();
    }

    @Test
    void anAnswerThatCanNotBeHandledIsOfUnknownOutcome() {
        ObjectClient client = new ObjectClient(transport, loop, new Random(1), Duration.ofSeconds(5));
        transport.answer(200, STORED);

        ApiResult<Lease> result = resultOf(client.<Lease>send(
                client.request(ApiRequest.Verb.GET, ResourceType.LEASES, ORDERS, "orders", null), response -> {
                    throw new NoClassDefFoundError("Missing");
                }));

        assertThat(result).isInstanceOf(ApiResult.OutcomeUnknown.class);
        assertThat(result.describe()).contains("leases/orders", "can't be handled", "Missing");
    }

    /** As when memory for a thread is lacking. Otherwise a lock would wait for the answer and send no other request. */
    @Test
    void aRequestThatCanNotBeSentIsOfUnknownOutcome() {
        KubernetesTransport broken = new KubernetesTransport() {
            @Override
            public CompletionStage<ApiResponse> send(ApiRequest request) {
                throw new NoClassDefFoundError("Missing");
            }

            @Override
            public Subscription watch(ApiRequest request, WatchStream stream) {
                throw new NoClassDefFoundError("Missing");
            }

            @Override
            public void close() {}
        };
        LeaseClient leases = LeaseClient.of(
                new ObjectClient(broken, loop, new Random(1), Duration.ofSeconds(5)), ApiFormat.CRD, null);

        assertThat(resultOf(leases.write(lease)))
                .isInstanceOf(ApiResult.OutcomeUnknown.class)
                .satisfies(result -> assertThat(result.describe()).contains("failed without a response", "Missing"));
        assertThat(resultOf(leases.ofKey(ORDERS))).isInstanceOf(ApiResult.OutcomeUnknown.class);
    }

    @Test
    void aRefusalOfTheCredentialsSaysWhatToCheck() {
        transport.answer(401, "{'kind': 'Status', 'code': 401, 'reason': 'Unauthorized', 'message': 'Unauthorized'}");

        assertThat(resultOf(leases.write(lease)).describe())
                .contains("status 401", "leases/orders: Unauthorized", "token or certificate");
    }

    private void refuseToReadACandidate(String user) {
        transport.answer(403, """
                {'kind': 'Status', 'code': 403, 'reason': 'Forbidden', 'details': {'name': 'orders', 'kind': 'leasecandidates'},
                 'message': 'leasecandidates.coordination.cle.io \\"orders\\" is forbidden: User \\"%s\\" cannot get resource \\"leasecandidates\\" in API group \\"coordination.cle.io\\" in the namespace \\"shop\\"'}
                """.formatted(user));
    }

    @Test
    void aMissingRightIsNamedAndSaysWhereToFindTheRoleThatGrantsIt() {
        refuseToReadACandidate("system:serviceaccount:shop:orders");

        assertThat(resultOf(candidates.read(ORDERS)).describe())
                .contains(
                        "status 403",
                        "cannot get resource \"leasecandidates\"",
                        "in the namespace \"shop\"",
                        "grant this right to the account: the ClusterRole cle-application",
                        "Which rights are needed");
    }

    /** The API server accepts requests without credentials as a user with hardly any rights. */
    @Test
    void aRefusalOfAnAnonymousUserSaysThatCredentialsAreMissing() {
        refuseToReadACandidate("system:anonymous");

        assertThat(resultOf(candidates.read(ORDERS)).describe())
                .contains("the API server found no credentials with this request: check the user of the kubeconfig")
                .doesNotContain("grant this right");
    }

    @Test
    void aMissingRightToReadAnObjectWithoutARecordIsNoConflict() {
        transport
                .answer(409, "{'kind': 'Status', 'code': 409, 'reason': 'AlreadyExists', 'message': 'it exists'}")
                .answer(403, "{'kind': 'Status', 'code': 403, 'reason': 'Forbidden', 'message': 'no'}");

        AtomicReference<ApiResult<Lease>> result = new AtomicReference<>();
        LeaseClient.of(client, ResourceLock.CONFIGMAPS, null).create(lease).thenAccept(result::set);
        loop.runReady();

        assertThat(result.get()).isInstanceOf(ApiResult.Refused.class);
    }

    @Test
    void aQuotaThatIsExceededIsNoMissingRight() {
        transport.answer(403, """
                {'kind': 'Status', 'code': 403, 'reason': 'Forbidden', 'details': {'name': 'orders', 'kind': 'leases'},
                 'message': 'leases.coordination.k8s.io \\"orders\\" is forbidden: exceeded quota: candidates, requested: count/leases.coordination.k8s.io=1'}
                """);

        assertThat(resultOf(leases.create(lease)).describe())
                .contains("status 403", "exceeded quota")
                .doesNotContain("grant");
    }

    /** Labels show cluster administrators whose a Lease is. One that an administrator has set is kept. */
    @Nested
    class LabelsForPeople {

        private final LeaseApi ofOrders = LeaseClient.of(client, ApiFormat.CRD, "orders");

        private String written() {
            return transport
                    .lastRequest()
                    .body()
                    .getAsJsonObject("metadata")
                    .getAsJsonObject("labels")
                    .toString();
        }

        @Test
        void labelsForPeopleAreThoseOfWhatHasCreatedTheLeaseAndOfTheApplication() {
            transport.answer(201, STORED);
            resultOf(ofOrders.create(Lease.builder(ORDERS).build()));

            assertThat(written())
                    .contains(
                            "\"app.kubernetes.io/managed-by\":\"coordinated-leader-election\"",
                            "\"app.kubernetes.io/name\":\"orders\"");
        }

        @Test
        void labelsForPeopleAreAddedByTheHolderToALeaseThatACoordinatorHasCreated() {
            transport.answer(200, STORED);
            resultOf(ofOrders.write(lease));

            assertThat(written())
                    .contains("\"app.kubernetes.io/name\":\"orders\"")
                    .doesNotContain("managed-by");
        }

        @Test
        void labelsForPeopleStayAsAnAdministratorHasSetThem() {
            transport.answer(200, STORED);
            resultOf(ofOrders.write(lease.toBuilder().application("shop-suite").build()));

            assertThat(written()).contains("shop-suite").doesNotContain("orders");
        }

        @Test
        void labelsForPeopleMayBeStoredOtherwise() {
            transport.answer(200, STORED);

            assertThat(resultOf(ofOrders.write(lease))).isInstanceOf(ApiResult.Ok.class);
        }
    }

    @Nested
    class AWrite {

        @Test
        void aWriteComparesAndSwapsByTheVersionThatWasRead() {
            transport.answer(200, STORED);

            ApiResult<Lease> result = resultOf(leases.write(lease));

            assertThat(result).isInstanceOf(ApiResult.Ok.class);
            ApiRequest request = transport.lastRequest();
            assertThat(request.describe())
                    .isEqualTo("PATCH /apis/coordination.k8s.io/v1/namespaces/shop/leases/orders");
            assertThat(request.contentType()).isEqualTo("application/merge-patch+json");
            assertThat(request.timeout()).isEqualTo(Duration.ofSeconds(5));
            assertThat(request.body()
                            .getAsJsonObject("metadata")
                            .get("resourceVersion")
                            .getAsString())
                    .isEqualTo("7");
        }

        @Test
        void ofWhatWasNeverReadIsABug() {
            assertThatNullPointerException()
                    .isThrownBy(() -> leases.write(Lease.builder(ORDERS).build()));
        }

        @Test
        void aWriteThatWasStoredOtherwiseSaysWhatIsMissing() {
            Lease released = lease.toBuilder()
                    .holder("b")
                    .term(TermAnnotation.released(new TermAnnotation.Ended(null, "7")))
                    .build();
            transport.answer(200, STORED);

            ApiResult<Lease> result = resultOf(leases.write(released));

            assertThat(result)
                    .isInstanceOfSatisfying(
                            ApiResult.Changed.class,
                            changed -> assertThat(changed.message())
                                    .contains(
                                            "leases/orders: ",
                                            "metadata.annotations.coordination.cle.io/term",
                                            "spec.holderIdentity")
                                    .doesNotContain("leaseDurationSeconds", "leaseTransitions"));
        }

        @Test
        void aWriteThatMetAConflictWroteNothing() {
            transport.answer(409, "{'message': 'the object has been modified'}");

            assertThat(resultOf(leases.write(lease)))
                    .isInstanceOfSatisfying(
                            ApiResult.Conflict.class,
                            conflict -> assertThat(conflict.message())
                                    .contains("the object has been modified")
                                    .contains("leases/orders"));
        }

        @Test
        void ofAnUnwritableObjectIsRefusedWithoutARequest() {
            Candidate candidate = Candidate.builder(ORDERS, ORDERS)
                    .binaryVersion(Version.parse("1.0.0"))
                    .compatibilityVersion(Version.parse("2.0.0"))
                    .build();

            assertThat(resultOf(candidates.create(candidate))).isInstanceOf(ApiResult.Refused.class);
            assertThat(resultOf(candidates.renew(candidate))).isInstanceOf(ApiResult.Refused.class);
            assertThat(transport.requests).isEmpty();
        }

        @Test
        void aWriteThatRenewsOrPingsACandidateDoesNotCompareVersions() {
            Candidate candidate =
                    Candidate.builder(ORDERS, ORDERS).resourceVersion("7").build();

            resultOf(candidates.renew(candidate));
            resultOf(candidates.ping(candidate, Instant.EPOCH));

            assertThat(transport.requests)
                    .allMatch(request ->
                            !request.body().getAsJsonObject("metadata").has("resourceVersion"));
        }

        @Test
        void aWriteThatDeletesComparesVersionsOnlyWhereAsked() {
            transport
                    .answer(200, "{'kind': 'Status'}")
                    .answer(404, "{'kind': 'Status'}")
                    .answer(409, "{}");

            assertThat(resultOf(candidates.delete(ORDERS, Optional.empty())))
                    .isEqualTo(new ApiResult.Ok<>(Optional.empty()));
            assertThat(transport.lastRequest().body().has("preconditions")).isFalse();
            assertThat(resultOf(candidates.delete(ORDERS, Optional.of("7"))))
                    .isEqualTo(new ApiResult.Ok<>(Optional.empty()));
            assertThat(transport.lastRequest().body().getAsJsonObject("preconditions"))
                    .isEqualTo(FakeTransport.json("{'resourceVersion': '7'}"));
            assertThat(resultOf(candidates.delete(ORDERS, Optional.of("7")))).isInstanceOf(ApiResult.Conflict.class);
        }
    }

    @Nested
    class TheOutcomeIsUnknown {

        @ParameterizedTest
        @ValueSource(ints = {500, 502, 503, 504})
        void afterAServersError(int status) {
            transport.answer(status, "{'message': 'boom'}");

            assertThat(resultOf(leases.write(lease))).isInstanceOf(ApiResult.OutcomeUnknown.class);
        }

        @Test
        void withoutAnAnswer() {
            transport.noAnswer("timeout");

            assertThat(resultOf(leases.write(lease))).isEqualTo(new ApiResult.OutcomeUnknown<Lease>("timeout"));
        }

        @Test
        void afterASuccessThatCannotBeUnderstood() {
            transport.answer(200, "{'kind': 'Status'}");

            assertThat(resultOf(leases.write(lease))).isInstanceOf(ApiResult.OutcomeUnknown.class);
        }

        @Test
        void afterASuccessWithoutAVersion() {
            transport.answer(200, STORED.replace(", 'resourceVersion': '8'", ""));

            assertThat(resultOf(leases.write(lease)))
                    .isInstanceOfSatisfying(
                            ApiResult.OutcomeUnknown.class,
                            unknown -> assertThat(unknown.message())
                                    .contains(
                                            "metadata.resourceVersion must be a decimal number without leading zeros and is missing"));
        }
    }

    @Nested
    class AnObjectThatCannotBeUnderstood {

        private static final String WITHOUT_A_NUMBER = STORED.replace("'8'", "'v8'");

        @Test
        void anObjectThatCannotBeUnderstoodIsNotSaidToBeRefusedByAServer() {
            transport.answer(200, WITHOUT_A_NUMBER);

            assertThat(resultOf(leases.read(ORDERS)).describe())
                    .isEqualTo("leases.coordination.k8s.io shop/orders is malformed:"
                            + " metadata.resourceVersion must be a decimal number without leading zeros and is 'v8'");
        }
    }

    @Nested
    class ACandidate {

        private final Candidate candidate = Candidate.builder(new ObjectKey("shop", "orders-a"), ORDERS)
                .strategy("HighestPriority")
                .priority(0)
                .renewTime(Instant.parse("2026-01-01T00:00:00Z"))
                .build();

        private static String stored(String spec) {
            return "{'metadata': {'namespace': 'shop', 'name': 'orders-a', 'resourceVersion': '8'}, 'spec': {"
                    + "'canLeadLease': 'shop/orders', 'leaseDurationSeconds': 600,"
                    + " 'renewTime': '2026-01-01T00:00:00.000000Z'" + spec + "}}";
        }

        @Test
        void aCandidateThatIsStoredOtherwiseIsReportedByTheNamesOfItsFields() {
            transport.answer(201, stored(", 'strategy': 'OldestCompatibilityVersion'"));

            assertThat(resultOf(candidates.create(candidate)))
                    .isInstanceOfSatisfying(
                            ApiResult.Changed.class,
                            changed -> assertThat(changed.message())
                                    .contains("leasecandidates: spec.strategy, spec.priority"));
        }

        @Test
        void aCandidateThatIsStoredAsItWasWrittenIsNotReported() {
            transport.answer(200, stored(", 'strategy': 'HighestPriority', 'priority': 0"));

            assertThat(resultOf(candidates.renew(candidate))).isInstanceOf(ApiResult.Ok.class);
        }

        @Test
        void aCandidateWhosePingIsDroppedIsReported() {
            transport.answer(200, stored(""));

            assertThat(resultOf(candidates.ping(candidate, Instant.parse("2026-01-01T00:00:01Z"))))
                    .isInstanceOfSatisfying(
                            ApiResult.Changed.class,
                            changed -> assertThat(changed.message())
                                    .contains("metadata.annotations.coordination.k8s.io/pending-ack"));
        }
    }

    @Nested
    class ARefusal {

        @ParameterizedTest
        @ValueSource(ints = {302, 400, 401, 403, 405, 410, 422})
        void aRefusalHasItsStatusAndTheServersReason(int status) {
            transport.answer(status, "{'message': 'because'}");

            assertThat(resultOf(leases.create(lease))).isInstanceOfSatisfying(ApiResult.Refused.class, refused -> {
                assertThat(refused.status()).isEqualTo(status);
                assertThat(refused.message()).contains("because");
            });
        }

        @Test
        void ofABusyServerSaysWhenToComeBackByItsHeaderOrItsBody() {
            transport.answer(429, "{'message': 'busy'}", Duration.ofSeconds(3));
            transport.answer(429, "{'message': 'busy', 'details': {'retryAfterSeconds': 4}}");

            assertThat(resultOf(leases.write(lease)))
                    .isInstanceOfSatisfying(
                            ApiResult.Refused.class,
                            refused -> assertThat(refused.retryAfter()).isEqualTo(Duration.ofSeconds(3)));
            assertThat(resultOf(leases.write(lease)))
                    .isInstanceOfSatisfying(
                            ApiResult.Refused.class,
                            refused -> assertThat(refused.retryAfter()).isEqualTo(Duration.ofSeconds(4)));
        }

        @Test
        void aRefusalThatAsksToWaitForDaysIsObeyedForAMinute() {
            transport.answer(429, "{}", Duration.ofDays(11));
            transport.answer(429, "{'details': {'retryAfterSeconds': 999999}}");

            for (int request = 0; request < 2; request++) {
                assertThat(resultOf(leases.write(lease)))
                        .isInstanceOfSatisfying(
                                ApiResult.Refused.class,
                                refused -> assertThat(refused.retryAfter()).isEqualTo(Duration.ofMinutes(1)));
            }
        }

        @Test
        void aRefusalBecauseOfAMissingNamespaceNamesIt() {
            transport.answer(
                    404,
                    "{'kind': 'Status', 'message': 'namespaces \\\"shop\\\" not found', 'details': {'name': 'shop', 'kind': 'namespaces'}}");

            ApiResult<Lease> created = resultOf(leases.create(lease));

            assertThat(created).isInstanceOf(ApiResult.Gone.class);
            assertThat(created.describe()).contains("create the namespace 'shop'");
        }

        @Test
        void aRefusalIsWhatAnUnreadableObjectGetsWithTheMalformedField() {
            transport.answer(200, STORED.replace("15", "-1"));

            assertThat(resultOf(leases.read(ORDERS)))
                    .isInstanceOfSatisfying(
                            ApiResult.Refused.class,
                            refused -> assertThat(refused.message())
                                    .contains("shop/orders")
                                    .contains("spec.leaseDurationSeconds"));
        }
    }

    @Nested
    class AMissingObject {

        @Test
        void aMissingObjectIsReadAsNothingAndCannotBeWritten() {
            String missing = "{'kind': 'Status', 'reason': 'NotFound', 'message': 'leases \\\"orders\\\" not found',"
                    + " 'details': {'name': 'orders', 'kind': 'leases'}}";
            transport.answer(404, missing).answer(404, missing);

            assertThat(resultOf(leases.read(ORDERS))).isEqualTo(new ApiResult.Ok<>(Optional.empty()));
            assertThat(resultOf(leases.write(lease))).isInstanceOf(ApiResult.Gone.class);
        }

        @ParameterizedTest
        @ValueSource(strings = {"<html>404 Not Found</html>", "404 page not found", "leases \\\"orders\\\" not found"})
        void aMissingObjectIsNotWhatAPageOfALoadBalancerMeans(String page) {
            String body = "{'message': '" + page + "'}";
            transport.answer(404, body).answer(404, body);

            assertThat(resultOf(leases.read(ORDERS))).isInstanceOf(ApiResult.OutcomeUnknown.class);
            assertThat(resultOf(leases.write(lease))).isInstanceOf(ApiResult.OutcomeUnknown.class);
        }

        @Test
        void aMissingObjectIsNotWhatAMissingDefinitionMeansWhichNamesTheManifest() {
            transport.answer(404, "{'message': '404 page not found'}").answer(404, "{'message': '404 page not found'}");

            ApiResult<Optional<Candidate>> read = resultOf(candidates.read(ORDERS));
            ApiResult<Candidate> created =
                    resultOf(candidates.create(Candidate.builder(ORDERS, ORDERS).build()));

            assertThat(read).isInstanceOf(ApiResult.Gone.class);
            assertThat(read.describe()).contains("cle-coordinator-app/deploy/helm/files/crds/leasecandidates.yaml");
            assertThat(created.describe()).contains("cle-coordinator-app/deploy/helm/files/crds/leasecandidates.yaml");
        }

        @Test
        void aMissingObjectIsNotWhatAMissingNativeApiMeansWhichSaysHowToServeIt() {
            transport.answer(404, "{'message': '404 page not found'}");

            ApiResult<Optional<Candidate>> read = resultOf(new CandidateClient(client, ApiFormat.NATIVE).read(ORDERS));

            assertThat(read.describe()).contains("--runtime-config=coordination.k8s.io/v1beta1=true");
        }
    }
}
