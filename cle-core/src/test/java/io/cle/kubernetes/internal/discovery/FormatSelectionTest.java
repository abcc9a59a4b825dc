package io.cle.kubernetes.internal.discovery;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.cle.api.ApiFormat;
import io.cle.api.Subscription;
import io.cle.kubernetes.internal.transport.ApiRequest;
import io.cle.kubernetes.internal.transport.ApiRequest.Verb;
import io.cle.kubernetes.internal.transport.ApiResponse;
import io.cle.kubernetes.internal.transport.FakeTransport;
import io.cle.kubernetes.internal.transport.KubernetesTransport;
import io.cle.kubernetes.internal.transport.NegotiatedTransport;
import io.cle.kubernetes.internal.transport.ResourceType;
import io.cle.model.ApiResult;
import io.cle.runtime.internal.lock.VirtualLoop;
import io.cle.runtime.internal.loop.LoggedLines;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static io.cle.api.ApiFormat.CRD;
import static io.cle.api.ApiFormat.NATIVE;
import static org.assertj.core.api.Assertions.assertThat;

class FormatSelectionTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private final VirtualLoop loop = new VirtualLoop();
    private final Server server = new Server();
    private final FormatDiscovery discovery = new FormatDiscovery(new NegotiatedTransport(server), "shop", TIMEOUT);
    private final List<ApiFormat> followed = new ArrayList<>();

    /** An API server whose formats, feature gate and candidates the test sets. */
    private static final class Server implements KubernetesTransport {
        private Set<ApiFormat> serves = Set.of(CRD);
        private boolean gate = true;
        private boolean away;
        private final Set<Verb> throwing = new HashSet<>();
        private final Set<String> crdCandidates = new HashSet<>();
        private int questions;

        @Override
        public CompletionStage<ApiResponse> send(ApiRequest request) {
            if (throwing.contains(request.verb())) {
                throw new IllegalStateException("thrown by the test");
            }
            return CompletableFuture.completedFuture(
                    away ? new ApiResponse.Unanswered("connection refused") : answer(request));
        }

        private ApiResponse answer(ApiRequest request) {
            if (request.verb() == Verb.CREATE) {
                return new ApiResponse.Answered(
                        201, gate && request.body() != null ? request.body() : FakeTransport.json("{}"), null);
            }
            if (request.verb() == Verb.LIST) {
                String items = String.join(",", crdCandidates);
                return new ApiResponse.Answered(
                        200, FakeTransport.json("{'metadata': {}, 'items': [" + items + "]}"), null);
            }
            questions++;
            ApiFormat format = request.resource().group().equals(ResourceType.NATIVE_CANDIDATES.group()) ? NATIVE : CRD;
            return serves.contains(format)
                    ? new ApiResponse.Answered(
                            200, FakeTransport.json("{'resources': [{'name': 'leasecandidates'}]}"), null)
                    : new ApiResponse.Answered(404, FakeTransport.json("{'message': '404 page not found'}"), null);
        }

        @Override
        public Subscription watch(ApiRequest request, WatchStream stream) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close() {}
    }

    private FormatSelection candidate(Optional<ApiFormat> pinned) {
        return following(FormatSelection.ofCandidate(discovery, pinned, loop, new Random(1)));
    }

    private FormatSelection coordinator(Optional<ApiFormat> pinned) {
        CrdCandidates crdCandidates = new CrdCandidates(server, Set.of(), TIMEOUT);
        return following(FormatSelection.ofCoordinator(discovery, crdCandidates, pinned, loop, new Random(1)));
    }

    private FormatSelection following(FormatSelection selection) {
        selection.follow(followed::add);
        return selection;
    }

    private ApiResult<ApiFormat> get(FormatSelection selection) {
        CompletionStage<ApiResult<ApiFormat>> stage = selection.get();
        loop.runReady();
        return stage.toCompletableFuture().join();
    }

    /** What the selection says to a question during which a request throws. */
    private ApiResult<ApiFormat> getWhileThrowing(FormatSelection selection, Verb verb) {
        server.throwing.add(verb);
        CompletableFuture<ApiResult<ApiFormat>> result = selection.get().toCompletableFuture();
        loop.runReady();
        server.throwing.clear();
        assertThat(result).isCompleted();
        return result.join();
    }

    /** Long enough for two answers that are a while apart after a doubt. */
    private void doubt(FormatSelection selection) {
        selection.doubt();
        loop.advance(Duration.ofSeconds(12));
    }

    @Nested
    class Log {

        @RegisterExtension
        final LoggedLines log = new LoggedLines(FormatSelection.class);

        private static final String NEITHER = "the API server serves neither coordination.k8s.io LeaseCandidates nor"
                + " coordination.cle.io/v1alpha1 LeaseCandidates; apply"
                + " cle-coordinator-app/deploy/crds/leasecandidates.yaml";
        private static final String UNUSABLE = "WARN the crd format of candidates can't be used: " + NEITHER
                + "; no coordinator elects in it, and candidates race for their leases after the fallback delay";

        /** kube-apiserver answers some seconds before it serves CRDs. */
        @Test
        void isSilentAboutAnApiServerThatHasJustStarted() {
            FormatSelection selection = candidate(Optional.empty());
            get(selection);
            server.serves = Set.of();
            selection.doubt();
            loop.advance(Duration.ofSeconds(2));
            server.serves = Set.of(CRD);
            loop.advance(Duration.ofSeconds(10));

            assertThat(selection.usable()).isTrue();
            assertThat(log.lines()).hasSize(1).first().asString().startsWith("INFO the format of candidates is crd");
        }

        @Test
        void saysOnceWhatTheApiServerServesWhileACoordinatorWaits() {
            server.serves = Set.of();
            FormatSelection selection = coordinator(Optional.empty());
            selection.find();
            loop.advance(Duration.ofMinutes(1));

            assertThat(log.lines())
                    .containsExactly(
                            "WARN no wire format can be used yet, and the API server is asked again: " + NEITHER);
            assertThat(selection.reason()).isEqualTo(NEITHER);
        }

        @Test
        void saysOnceAndAfterTwoAnswersThatTheFormatCannotBeUsed() {
            FormatSelection selection = candidate(Optional.empty());
            get(selection);
            server.serves = Set.of();
            doubt(selection);
            loop.advance(Duration.ofMinutes(1));

            assertThat(log.lines()).hasSize(2).last().isEqualTo(UNUSABLE);
        }

        @Test
        void saysThatTheFormatCanBeUsedAgain() {
            FormatSelection selection = candidate(Optional.empty());
            get(selection);
            String first = log.lines().get(0);
            server.serves = Set.of();
            doubt(selection);
            server.serves = Set.of(CRD);
            loop.advance(Duration.ofSeconds(10));

            assertThat(log.lines()).containsExactly(first, UNUSABLE, first);
        }
    }

    @Nested
    class OfACandidate {

        @Test
        void prefersTheNativeFormat() {
            server.serves = Set.of(NATIVE, CRD);

            assertThat(get(candidate(Optional.empty()))).isEqualTo(new ApiResult.Ok<>(NATIVE));
        }

        @Test
        void isCrdIfTheFeatureGateIsOff() {
            server.serves = Set.of(NATIVE, CRD);
            server.gate = false;

            assertThat(get(candidate(Optional.empty()))).isEqualTo(new ApiResult.Ok<>(CRD));
        }

        @Test
        void isCrdIfNeitherCanBeUsedBecauseItCanRaceForItsLease() {
            server.serves = Set.of();
            FormatSelection selection = candidate(Optional.empty());

            assertThat(get(selection)).isEqualTo(new ApiResult.Ok<>(CRD));
            assertThat(selection.usable()).isFalse();
            assertThat(selection.reason()).contains("serves neither");
        }

        @Test
        void failsAsTheQuestionDoesAndIsAskedForAnew() {
            server.away = true;
            FormatSelection selection = candidate(Optional.empty());
            assertThat(get(selection).describe()).contains("connection refused");
            assertThat(selection.known()).isEmpty();

            server.away = false;
            assertThat(get(selection)).isEqualTo(new ApiResult.Ok<>(CRD));
        }

        @Test
        void isAskedForOnceByManyCallers() {
            FormatSelection selection = candidate(Optional.empty());

            selection.get();
            selection.get();
            get(selection);
            get(selection);

            assertThat(server.questions)
                    .as("three versions of the native API, and the CRD")
                    .isEqualTo(4);
        }

        @Test
        void isUsedThoughItIsSetAndCannotBeUsed() {
            FormatSelection selection = candidate(Optional.of(NATIVE));

            assertThat(get(selection)).isEqualTo(new ApiResult.Ok<>(NATIVE));
            assertThat(selection.usable()).isFalse();
            doubt(selection);
            assertThat(followed).isEmpty();
        }

        @Test
        void isNotAskedForIfCrdIsSet() {
            FormatSelection selection = candidate(Optional.of(CRD));

            assertThat(get(selection)).isEqualTo(new ApiResult.Ok<>(CRD));
            doubt(selection);
            loop.advance(Duration.ofHours(1));
            assertThat(server.questions).isZero();
        }

        @Test
        void changesWhenTwoAnswersSayThatItCannotBeUsed() {
            server.serves = Set.of(NATIVE, CRD);
            FormatSelection selection = candidate(Optional.empty());
            get(selection);
            server.serves = Set.of(CRD);

            selection.doubt();
            loop.advance(Duration.ofSeconds(2));
            assertThat(followed).isEmpty();
            assertThat(selection.usable()).isFalse();
            loop.advance(Duration.ofSeconds(10));

            assertThat(followed).containsExactly(CRD);
            assertThat(selection.known()).contains(CRD);
            assertThat(selection.usable()).isTrue();
        }

        @Test
        void changesWithoutADoubtAtTheNextRegularQuestion() {
            server.serves = Set.of(NATIVE, CRD);
            get(candidate(Optional.empty()));
            server.serves = Set.of(CRD);

            loop.advance(Duration.ofMinutes(29));
            assertThat(followed).isEmpty();
            loop.advance(Duration.ofMinutes(2));

            assertThat(followed).containsExactly(CRD);
        }

        @Test
        void staysIfTheOtherFormatComesToBePreferred() {
            FormatSelection selection = candidate(Optional.empty());
            get(selection);
            server.serves = Set.of(NATIVE, CRD);

            doubt(selection);
            loop.advance(Duration.ofHours(2));

            assertThat(followed).isEmpty();
            assertThat(selection.known()).contains(CRD);
        }

        @Test
        void isAskedForAgainAfterAQuestionThatThrew() {
            FormatSelection selection = candidate(Optional.empty());

            assertThat(getWhileThrowing(selection, Verb.GET).describe())
                    .endsWith("which formats it serves: java.lang.IllegalStateException: thrown by the test");

            assertThat(get(selection)).isEqualTo(new ApiResult.Ok<>(CRD));
        }

        @Test
        void isAskedForUntilAnApiServerThatWasAwayAnswers() {
            server.serves = Set.of(NATIVE, CRD);
            FormatSelection selection = candidate(Optional.empty());
            get(selection);
            server.away = true;
            doubt(selection);
            loop.advance(Duration.ofMinutes(3));
            assertThat(followed).isEmpty();

            server.away = false;
            server.serves = Set.of(CRD);
            loop.advance(Duration.ofSeconds(21));

            assertThat(followed).containsExactly(CRD);
        }
    }

    @Nested
    class OfACoordinator {

        private static final String CANDIDATE =
                "{'metadata': {'namespace': 'shop', 'name': 'orders-a', 'resourceVersion': '3',"
                        + " 'labels': {'binary-version': '1.0.0', 'compatibility-version': '1.0.0'}},"
                        + " 'spec': {'canLeadLease': 'shop/orders', 'strategy': 'OldestCompatibilityVersion',"
                        + " 'leaseDurationSeconds': 600, 'renewTime': '2026-01-01T00:00:00.000000Z'}}";

        private CompletableFuture<ApiFormat> find(FormatSelection selection) {
            CompletableFuture<ApiFormat> found = selection.find().toCompletableFuture();
            loop.runReady();
            return found;
        }

        @Test
        void isWaitedForWhileNeitherCanBeUsed() {
            server.serves = Set.of();
            FormatSelection selection = coordinator(Optional.empty());
            CompletableFuture<ApiFormat> found = find(selection);
            loop.advance(Duration.ofMinutes(5));
            assertThat(found).isNotDone();
            assertThat(selection.reason()).contains("serves neither");

            server.serves = Set.of(CRD);
            loop.advance(Duration.ofSeconds(31));

            assertThat(found).isCompletedWithValue(CRD);
        }

        @Test
        void isWaitedForIfItIsSetAndTheFeatureGateIsOff() {
            server.serves = Set.of(NATIVE, CRD);
            server.gate = false;
            FormatSelection selection = coordinator(Optional.of(NATIVE));
            CompletableFuture<ApiFormat> found = find(selection);
            loop.advance(Duration.ofMinutes(5));
            assertThat(found).isNotDone();
            assertThat(selection.reason()).contains("the native format is set, but", "feature gate");

            server.gate = true;
            loop.advance(Duration.ofSeconds(31));

            assertThat(found).isCompletedWithValue(NATIVE);
        }

        @Test
        void isNativeIfBothCanBeUsedAndThereAreNoCandidatesInCrd() {
            server.serves = Set.of(NATIVE, CRD);

            assertThat(find(coordinator(Optional.empty()))).isCompletedWithValue(NATIVE);
        }

        @Test
        void isAskedForAgainAfterASearchForCandidatesInCrdThatThrew() {
            server.serves = Set.of(NATIVE, CRD);
            FormatSelection selection = coordinator(Optional.empty());

            assertThat(getWhileThrowing(selection, Verb.LIST).describe()).contains("thrown by the test");

            assertThat(get(selection)).isEqualTo(new ApiResult.Ok<>(NATIVE));
        }

        @Test
        void isNativeIfAllCandidatesInCrdAreMalformed() {
            server.serves = Set.of(NATIVE, CRD);
            server.crdCandidates.add("{'metadata': {'namespace': 'shop', 'name': 'x'}, 'spec': {}}");

            assertThat(find(coordinator(Optional.empty()))).isCompletedWithValue(NATIVE);
        }

        @Test
        void isCrdUntilThereAreNoCandidatesInItAnyMore() {
            server.serves = Set.of(NATIVE, CRD);
            server.crdCandidates.add(CANDIDATE);
            FormatSelection selection = coordinator(Optional.empty());
            assertThat(find(selection)).isCompletedWithValue(CRD);
            loop.advance(Duration.ofMinutes(10));
            assertThat(followed).isEmpty();

            server.crdCandidates.clear();
            loop.advance(Duration.ofMinutes(5));

            assertThat(followed).containsExactly(NATIVE);
            assertThat(selection.known()).contains(NATIVE);
        }

        @Test
        void isNotLeftIfItIsSet() {
            server.serves = Set.of(NATIVE, CRD);
            FormatSelection selection = coordinator(Optional.of(NATIVE));
            find(selection);
            server.serves = Set.of(CRD);

            doubt(selection);

            assertThat(followed).isEmpty();
            assertThat(selection.usable()).isFalse();
        }
    }
}
