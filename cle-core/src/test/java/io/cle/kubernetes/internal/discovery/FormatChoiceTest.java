package io.cle.kubernetes.internal.discovery;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.cle.ApiFormat;
import io.cle.kubernetes.internal.transport.ApiRequest;
import io.cle.kubernetes.internal.transport.ApiRequest.Verb;
import io.cle.kubernetes.internal.transport.ApiResponse;
import io.cle.kubernetes.internal.transport.FakeTransport;
import io.cle.kubernetes.internal.transport.KubernetesTransport;
import io.cle.kubernetes.internal.transport.ResourceType;
import io.cle.lock.internal.VirtualLoop;
import io.cle.loop.internal.LoggedLines;
import io.cle.store.internal.Subscription;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Which kind of candidates a process uses, and when it starts over with another one. */
class FormatChoiceTest {

    private static final ResourceType CRD = ResourceType.CRD_CANDIDATES;
    /** No kind was chosen. */
    private static final @Nullable ResourceType NONE = null;

    private static final ResourceType V1BETA1 = ResourceType.NATIVE_CANDIDATES;
    private static final ResourceType V1ALPHA2 = ResourceType.NATIVE_VERSIONS.get(2);

    @RegisterExtension
    final LoggedLines log = new LoggedLines(FormatChoice.class);

    private final VirtualLoop loop = new VirtualLoop();
    private final Server server = new Server();
    private final List<ResourceType> chosen = new ArrayList<>();
    private final List<String> problems = new ArrayList<>();

    /** An API server whose kinds and feature gate the test sets. */
    private static final class Server implements KubernetesTransport {
        private List<ResourceType> serves = List.of(CRD);
        private boolean gate = true;
        private boolean away;
        private boolean throwing;
        /** The status with which discovery fails; 0 if it doesn't. */
        private int failing;

        private int questions;

        @Override
        public CompletionStage<ApiResponse> send(ApiRequest request) {
            if (throwing) {
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
            questions++;
            if (failing != 0) {
                return new ApiResponse.Answered(failing, FakeTransport.json("{'message': 'no answer'}"), null);
            }
            boolean served = serves.stream()
                    .anyMatch(kind -> kind.group().equals(request.resource().group())
                            && kind.version().equals(request.resource().version()));
            return served
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

    private FormatDiscovery discovery() {
        return new FormatDiscovery(server, "shop", Duration.ofSeconds(5));
    }

    private FormatChoice candidate(ApiFormat... pinned) {
        return used(FormatChoice.ofCandidate(discovery(), Optional.ofNullable(first(pinned)), loop, new Random(1)));
    }

    private FormatChoice coordinator(ApiFormat... pinned) {
        return used(FormatChoice.ofCoordinator(discovery(), Optional.ofNullable(first(pinned)), loop, new Random(1)));
    }

    private static ApiFormat first(ApiFormat... formats) {
        return formats.length == 0 ? null : formats[0];
    }

    private FormatChoice used(FormatChoice choice) {
        choice.use(kind -> chosen.add(kind.orElse(NONE)), problems::add);
        loop.runReady();
        return choice;
    }

    private void doubt(FormatChoice choice) {
        choice.doubt();
        loop.advance(Duration.ofSeconds(12));
    }

    @Nested
    class FirstChoice {

        @Test
        void firstChoiceIsTheNativeFormatIfItCanBeUsed() {
            server.serves = List.of(V1BETA1, V1ALPHA2, CRD);

            FormatChoice choice = candidate();

            assertThat(chosen).containsExactly(V1BETA1);
            assertThat(choice.known()).contains(ApiFormat.NATIVE);
            assertThat(log.lines()).as("nothing was set").isEmpty();
        }

        @Test
        void firstChoiceIsCrdIfTheFeatureGateIsOff() {
            server.serves = List.of(V1BETA1, CRD);
            server.gate = false;

            candidate();

            assertThat(chosen).containsExactly(CRD);
        }

        @Test
        void firstChoiceIsAskedForAgainUntilTheApiServerAnswers() {
            server.away = true;
            FormatChoice choice = candidate();
            loop.advance(Duration.ofMinutes(1));
            assertThat(chosen).isEmpty();
            assertThat(choice.known()).isEmpty();
            assertThat(choice.reason()).contains("connection refused");
            assertThat(problems).hasSizeGreaterThan(20).allMatch(problem -> problem.contains("connection refused"));

            server.away = false;
            loop.advance(Duration.ofSeconds(2));

            assertThat(chosen).containsExactly(CRD);
            assertThat(log.lines())
                    .singleElement()
                    .asString()
                    .startsWith("WARN No wire format can be used yet, and the API server is asked again: ");
        }

        @Test
        void firstChoiceIsAskedForAgainAfterAQuestionThatThrew() {
            server.throwing = true;
            candidate();
            assertThat(problems).singleElement().asString().contains("thrown by the test");

            server.throwing = false;
            loop.advance(Duration.ofSeconds(1));

            assertThat(chosen).containsExactly(CRD);
        }

        @Test
        void firstChoiceIsAskedForOnceByManyUsers() {
            FormatChoice choice = candidate();
            used(choice);
            used(choice);

            assertThat(chosen).containsExactly(CRD, CRD, CRD);
            assertThat(server.questions)
                    .as("three versions of the native API, and the CRD")
                    .isEqualTo(4);
        }

        @Test
        void firstChoiceIsNoLongerAskedForIfNoUserIsLeft() {
            server.away = true;
            FormatChoice choice = FormatChoice.ofCandidate(discovery(), Optional.empty(), loop, new Random(1));
            Subscription use = choice.use(kind -> chosen.add(kind.orElse(NONE)), problems::add);
            loop.runReady();
            use.close();
            loop.advance(Duration.ofMinutes(1));
            assertThat(problems).hasSize(1);

            server.away = false;
            used(choice);
            assertThat(chosen).containsExactly(CRD);
        }

        @Test
        void ofACoordinatorIsNotAskedForIfCrdIsSet() {
            FormatChoice choice = coordinator(ApiFormat.CRD);
            doubt(choice);
            loop.advance(Duration.ofHours(1));

            assertThat(chosen).containsExactly(CRD);
            assertThat(choice.reason()).isEqualTo("the crd format is set");
            assertThat(server.questions).isZero();
        }

        @Test
        void firstChoiceIsTheVersionThatIsServedOfTheNativeFormatIfThatIsSet() {
            server.serves = List.of(V1ALPHA2, CRD);

            candidate(ApiFormat.NATIVE);

            assertThat(chosen).containsExactly(V1ALPHA2);
        }

        @Test
        void ofACandidateIsNoneAtOnceIfNoneIsServedAndAKindOnceItIs() {
            server.serves = List.of();

            FormatChoice choice = candidate();

            assertThat(chosen).containsExactly(NONE);
            assertThat(choice.known()).isEmpty();
            assertThat(choice.reason()).contains("serves neither", "apply cle-coordinator-app/deploy/helm/files/crds");
            loop.advance(Duration.ofMinutes(5));
            assertThat(chosen).containsExactly(NONE);
            server.serves = List.of(CRD);
            loop.advance(Duration.ofMinutes(1));
            assertThat(chosen).containsExactly(NONE, CRD);
        }

        @Test
        void ofACandidateIsNoneIfTheFormatThatIsSetIsNotServed() {
            server.serves = List.of(V1BETA1);

            FormatChoice choice = candidate(ApiFormat.CRD);

            assertThat(chosen).containsExactly(NONE);
            assertThat(choice.reason()).startsWith("the crd format is set, but the API server serves");
        }

        @Test
        void ofACandidateIsAskedForOnceAMinuteAtMostWhileNoneIsServed() {
            server.serves = List.of();
            candidate();
            loop.advance(Duration.ofMinutes(5));
            int before = server.questions;

            loop.advance(Duration.ofMinutes(60));

            assertThat((server.questions - before) / 4)
                    .as("rounds of four requests")
                    .isBetween(60, 120);
        }

        /** A failure doesn't show that nothing is served. */
        @ParameterizedTest
        @ValueSource(ints = {401, 403, 429, 500, 503})
        void firstChoiceIsWaitedForWhileDiscoveryIsRefusedOrFails(int status) {
            server.serves = List.of();
            server.failing = status;
            FormatChoice choice = candidate();
            loop.advance(Duration.ofMinutes(10));
            assertThat(chosen).isEmpty();
            assertThat(choice.reason()).contains("no answer");

            server.failing = 0;
            loop.advance(Duration.ofSeconds(2));
            assertThat(chosen).containsExactly(NONE);
        }

        @Test
        void firstChoiceIsCrdIfThatIsSetAndDiscoveryIsRefused() {
            server.failing = 403;

            candidate(ApiFormat.CRD);

            assertThat(chosen).containsExactly(CRD);
        }

        /** A migration's lock is started and stopped many times. */
        @Test
        void ofNoneIsAskedForAgainByALaterUser() {
            server.serves = List.of();
            FormatChoice choice = FormatChoice.ofCandidate(discovery(), Optional.empty(), loop, new Random(1));
            Subscription use = choice.use(kind -> {}, problems::add);
            loop.runReady();
            use.close();
            loop.advance(Duration.ofMinutes(5));

            used(choice);
            server.serves = List.of(CRD);
            loop.advance(Duration.ofMinutes(1));

            assertThat(chosen).containsExactly(NONE, CRD);
        }

        @Test
        void ofACoordinatorIsWaitedForWhileNoneCanBeUsed() {
            server.serves = List.of();
            FormatChoice choice = coordinator();
            loop.advance(Duration.ofMinutes(5));
            assertThat(chosen).isEmpty();
            assertThat(choice.reason()).contains("serves neither");
            assertThat(log.lines()).hasSize(1);

            server.serves = List.of(CRD);
            loop.advance(Duration.ofSeconds(2));
            assertThat(chosen).containsExactly(CRD);
        }

        @Test
        void ofACoordinatorIsWaitedForIfTheFormatThatIsSetCannotBeUsed() {
            server.serves = List.of(V1BETA1, CRD);
            server.gate = false;
            FormatChoice choice = coordinator(ApiFormat.NATIVE);
            loop.advance(Duration.ofMinutes(5));
            assertThat(chosen).isEmpty();
            assertThat(choice.reason()).contains("the native format is set, but", "feature gate");

            server.gate = true;
            loop.advance(Duration.ofSeconds(2));
            assertThat(chosen).containsExactly(V1BETA1);
        }
    }

    @Nested
    class Change {

        @Test
        void theChangeComesWithAnAnswerThatTheKindIsNotServed() {
            server.serves = List.of(V1BETA1, CRD);
            FormatChoice choice = candidate();
            server.serves = List.of(CRD);

            doubt(choice);

            assertThat(chosen).containsExactly(V1BETA1, CRD);
            assertThat(choice.known()).contains(ApiFormat.CRD);
            assertThat(log.lines())
                    .singleElement()
                    .asString()
                    .startsWith("WARN coordination.k8s.io/v1beta1 LeaseCandidates (native) are no longer served; every"
                            + " lease that uses them starts over: ");
        }

        @Test
        void theChangeIsToAnotherVersionIfOnlyThatIsServed() {
            server.serves = List.of(V1BETA1, V1ALPHA2);
            FormatChoice choice = candidate(ApiFormat.NATIVE);
            server.serves = List.of(V1ALPHA2);

            doubt(choice);

            assertThat(chosen).containsExactly(V1BETA1, V1ALPHA2);
        }

        @Test
        void theChangeComesIfTheFeatureGateIsOff() {
            server.serves = List.of(V1BETA1, CRD);
            FormatChoice choice = candidate();
            server.gate = false;

            doubt(choice);

            assertThat(chosen).containsExactly(V1BETA1, CRD);
        }

        @Test
        void theChangeIsNotToAKindThatIsOnlyPreferred() {
            server.serves = List.of(V1ALPHA2);
            FormatChoice choice = candidate();
            server.serves = List.of(V1BETA1, V1ALPHA2);
            doubt(choice);
            assertThat(chosen).containsExactly(V1ALPHA2);
        }

        @Test
        void theChangeComesWhenAnApiServerThatWasAwayAnswers() {
            server.serves = List.of(V1BETA1, CRD);
            FormatChoice choice = candidate();
            server.away = true;
            doubt(choice);
            assertThat(chosen).containsExactly(V1BETA1);

            server.away = false;
            server.serves = List.of(CRD);
            doubt(choice);

            assertThat(chosen).containsExactly(V1BETA1, CRD);
        }

        @Test
        void theChangeIsWaitedForIfTheFormatIsSet() {
            server.serves = List.of(V1BETA1, CRD);
            FormatChoice choice = coordinator(ApiFormat.NATIVE);
            server.serves = List.of(CRD);

            doubt(choice);

            assertThat(chosen).containsExactly(V1BETA1);
        }

        @Test
        void theChangeIsToNoneIfNoKindIsServed() {
            FormatChoice choice = candidate();
            server.serves = List.of();
            doubt(choice);
            assertThat(chosen).containsExactly(CRD, NONE);

            server.failing = 503;
            loop.advance(Duration.ofMinutes(5));
            server.failing = 0;
            server.serves = List.of(CRD);
            loop.advance(Duration.ofMinutes(1));
            assertThat(chosen).containsExactly(CRD, NONE, CRD);
        }

        @Test
        void ofACoordinatorIsWaitedForWhileNoKindCanBeUsed() {
            FormatChoice choice = coordinator();
            server.serves = List.of();
            doubt(choice);
            loop.advance(Duration.ofMinutes(1));
            assertThat(chosen).containsExactly(CRD);
            assertThat(choice.known()).isEmpty();
            assertThat(log.lines())
                    .hasSize(2)
                    .last()
                    .asString()
                    .startsWith(
                            "WARN No wire format can be used yet, and the API server is asked again: the API server serves"
                                    + " neither");

            server.serves = List.of(CRD);
            loop.advance(Duration.ofMinutes(1));
            assertThat(chosen).containsExactly(CRD, CRD);
        }

        /** kube-apiserver answers some seconds before it serves CRDs. */
        @Test
        void theChangeDoesNotComeFromAnApiServerThatHasJustStarted() {
            FormatChoice choice = candidate();
            server.serves = List.of();
            choice.doubt();
            loop.advance(Duration.ofSeconds(9));
            server.serves = List.of(CRD);
            loop.advance(Duration.ofSeconds(10));

            assertThat(chosen).containsExactly(CRD);
            assertThat(log.lines()).isEmpty();
        }
    }
}
