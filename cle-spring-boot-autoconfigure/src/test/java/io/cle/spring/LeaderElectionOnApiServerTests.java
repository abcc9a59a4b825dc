package io.cle.spring;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.cle.CoordinatedLeaseLock;
import io.cle.LeadershipListener;
import io.cle.LockSnapshot;
import io.cle.spring.actuate.internal.LeaderElectionEndpoint;
import io.cle.spring.event.OnGrantedLeadership;
import io.cle.spring.event.OnLeaderChanged;
import io.cle.spring.event.OnRevokedLeadership;
import io.cle.spring.kubernetes.internal.MarkedPod;
import io.cle.spring.lock.LeaseLockCustomizer;
import io.cle.spring.onleader.OnLeader;
import io.cle.test.apiserver.EmbeddedApiServer;
import io.cle.test.apiserver.memory.ApiServerRequest;
import io.cle.test.apiserver.memory.ServerResponse;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

/** Complete applications on an API server, over HTTP. */
@ExtendWith(OutputCaptureExtension.class)
class LeaderElectionOnApiServerTests {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String CRD_CANDIDATE =
            "/apis/coordination.cle.io/v1alpha1/namespaces/default/leasecandidates/orders-a";

    private static final String NATIVE_CANDIDATE =
            "/apis/coordination.k8s.io/v1alpha2/namespaces/default/leasecandidates/orders-a";

    private final EmbeddedApiServer server = EmbeddedApiServer.start();
    private final List<ConfigurableApplicationContext> applications = new ArrayList<>();

    @AfterEach
    void stop() {
        applications.forEach(ConfigurableApplicationContext::close);
        server.close();
    }

    private Journal run(String identity, String... arguments) {
        return run(server, identity, arguments);
    }

    private Journal run(EmbeddedApiServer at, String identity, String... arguments) {
        SpringApplication application = new SpringApplication(Application.class);
        application.setWebApplicationType(WebApplicationType.NONE);
        application.setRegisterShutdownHook(false);
        List<String> all = new ArrayList<>(List.of(
                "--spring.application.name=orders",
                "--spring.main.banner-mode=off",
                "--cle.kubernetes.base-url=" + at.url(),
                "--cle.namespace=default",
                "--cle.identity=" + identity,
                "--cle.retry-period=100ms"));
        all.addAll(List.of(arguments));
        ConfigurableApplicationContext context = application.run(all.toArray(String[]::new));
        applications.add(context);
        return context.getBean(Journal.class);
    }

    @Test
    void anApiServerThatIsAwayAtTheStartIsWaitedFor() {
        server.stop();
        Journal journal = run("a", "--cle.fallback.delay=0s");
        CoordinatedLeaseLock lock = applications.get(0).getBean(CoordinatedLeaseLock.class);
        assertThat(lock.isLeader()).isFalse();

        server.resume();

        assertThat(journal.next("granted")).isEqualTo("granted orders-a");
    }

    /** With these durations, no term ends because a busy machine delays a renewal. */
    @ParameterizedTest
    @CsvSource({"newest-version, 1.9.0, 1.10.0", "'paris, dublin', dublin, paris"})
    void aBetterKeyTakesADirectLockOverByPropertiesAlone(String comparison, String worse, String better) {
        List<String> common = List.of(
                "--cle.resource-lock=leases",
                "--cle.lease-duration=10m",
                "--cle.renew-deadline=5m",
                "--cle.candidate.key-comparison=" + comparison);
        Journal first = run("a", withKey(common, worse));
        assertThat(first.next("granted")).isEqualTo("granted a");

        Journal second = run("b", withKey(common, better));

        assertThat(second.next("granted")).isEqualTo("granted b");
        assertThat(first.next("revoked")).isEqualTo("revoked END_OF_TERM");
    }

    private static String[] withKey(List<String> arguments, String key) {
        return Stream.concat(arguments.stream(), Stream.of("--cle.candidate.key=" + key))
                .toArray(String[]::new);
    }

    /** The lease duration is an hour: a stop that waited for it would time out. */
    @ParameterizedTest
    @ValueSource(strings = {"coordinatedleases", "leases"})
    void aStandbyThatIsClosedWhileTheApiServerIsAwayEnds(String resourceLock) {
        String[] arguments = {
            "--cle.resource-lock=" + resourceLock, "--cle.lease-duration=1h", "--cle.fallback.delay=0s"
        };
        assertThat(run("a", arguments).next("granted")).startsWith("granted");
        assertThat(run("b", arguments).next("leader")).startsWith("leader");
        ConfigurableApplicationContext standby = applications.remove(1);

        server.stop();

        assertTimeoutPreemptively(PATIENCE, standby::close);
        server.resume();
    }

    @Nested
    class MissingRight {

        @Test
        void missingRightToReadTheSuccessorIsNotTakenForASuccessorThatIsNoCandidate() {
            server.deny("get", "leasecandidates", "default");
            assertThat(run("a", "--cle.fallback.delay=0s").next("granted")).isEqualTo("granted orders-a");
            CoordinatedLeaseLock leader = applications.get(0).getBean(CoordinatedLeaseLock.class);

            assertThat(leader.resign("orders-b"))
                    .failsWithin(PATIENCE)
                    .withThrowableThat()
                    .withMessageContaining("lease default/orders: the candidate 'orders-b' can't be read")
                    .withMessageContaining("cannot get resource \"leasecandidates\"")
                    .withMessageContaining("in the namespace \"default\"; grant this right to the account");
            assertThat(leader.isLeader()).isTrue();
        }
    }

    static class Route {

        @OnLeader(controller = "route")
        void run() {}
    }

    @Nested
    class DirectLock {

        @ParameterizedTest
        @ValueSource(strings = {"leases", "endpoints", "configmaps"})
        void directLockIsHandedOverWhenItsApplicationEnds(String resourceLock) {
            Journal first = run("a", "--cle.resource-lock=" + resourceLock);
            assertThat(first.next("granted")).isEqualTo("granted a");
            Journal second = run("b", "--cle.resource-lock=" + resourceLock);
            assertThat(second.next("leader")).isEqualTo("leader a");

            applications.get(0).close();

            assertThat(first.next("revoked")).isEqualTo("revoked STOPPED");
            assertThat(second.next("granted")).isEqualTo("granted b");
        }
    }

    @Nested
    class PodOfTheLeader {

        private static final String PODS = "/api/v1/namespaces/default/pods";

        @Test
        void podOfTheLeaderIsMarkedUntilTheLeaseIsHandedOver() {
            List<String> ofA = createPod("a");
            List<String> ofB = createPod("b");
            Journal first = run("a", ofA.toArray(String[]::new));
            assertThat(first.next("granted")).isEqualTo("granted a");
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(labels("a"))
                            .contains("coordination.cle.io/leader", "leader.coordination.cle.io/orders"));
            Journal second = run("b", ofB.toArray(String[]::new));
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(applications)
                            .extracting(PodOfTheLeader::onTheEndpoint)
                            .containsExactly(new MarkedPod.Status("a", true), new MarkedPod.Status("b", false)));

            applications.remove(0).close();
            assertThat(labels("a")).isEmpty();

            assertThat(second.next("granted")).isEqualTo("granted b");
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(labels("b")).contains("coordination.cle.io/leader"));
        }

        @Test
        void podOfTheLeaderHasToBeKnown() {
            assertThatThrownBy(() -> run("a", "--cle.leader-pod.enabled=true"))
                    .rootCause()
                    .hasMessageContaining("POD_NAME, POD_UID and POD_NAMESPACE aren't all set");
        }

        private List<String> createPod(String name) {
            JsonObject created =
                    object(server.handle(ApiServerRequest.post(PODS, JsonParser.parseString("""
                    {"metadata": {"name": "%s"}, "spec": {"containers": [{"name": "orders", "image": "orders"}]}}
                    """.formatted(name)))));
            return List.of(
                    "--cle.leader-pod.enabled=true",
                    "--cle.resource-lock=leases",
                    "--management.endpoints.web.exposure.include=leaderelection",
                    "--POD_NAME=" + name,
                    "--POD_NAMESPACE=default",
                    "--POD_UID="
                            + created.getAsJsonObject("metadata").get("uid").getAsString());
        }

        private static MarkedPod.@Nullable Status onTheEndpoint(ConfigurableApplicationContext application) {
            return application.getBean(LeaderElectionEndpoint.class).leases().pod();
        }

        private Set<String> labels(String pod) {
            JsonObject metadata = object(server.handle(ApiServerRequest.get(PODS + "/" + pod)))
                    .getAsJsonObject("metadata");
            return metadata.has("labels") ? metadata.getAsJsonObject("labels").keySet() : Set.of();
        }

        private static JsonObject object(ServerResponse response) {
            return ((ServerResponse.Answer) response).object();
        }
    }

    @Nested
    class Candidate {

        @ParameterizedTest
        @ValueSource(strings = {"auto", "crd", "native"})
        void theCandidateIsAnnouncedAndRacesIfNoCoordinatorElects(String api) {
            server.serveNative(api.equals("native"));
            Journal journal =
                    run("a", "--cle.api=" + api, "--cle.fallback.delay=0s", "--cle.candidate.binary-version=1.2.0");
            assertThat(journal.next("announced|granted|leader", 3))
                    .containsExactlyInAnyOrder("announced", "granted orders-a", "leader orders-a");
            CoordinatedLeaseLock lock = applications.get(0).getBean(CoordinatedLeaseLock.class);
            assertThat(lock.snapshot().candidate().binaryVersion()).hasToString("1.2.0");
        }

        @Test
        void theCandidateBelongsToItsPodAndIsRemovedWhenItsApplicationEnds() {
            Journal journal = run(
                    "a",
                    "--POD_NAME=orders-7f9c",
                    "--POD_UID=uid-1",
                    "--POD_NAMESPACE=default",
                    "--cle.candidate.container=app",
                    "--cle.fallback.delay=0s");
            assertThat(journal.next("granted")).isEqualTo("granted orders-a");
            await().atMost(PATIENCE).until(() -> exists(CRD_CANDIDATE));
            assertThat(server.handle(ApiServerRequest.get(CRD_CANDIDATE)).toString())
                    .contains(
                            "ownerReferences",
                            "\"name\":\"orders-7f9c\"",
                            "\"uid\":\"uid-1\"",
                            "\"coordination.cle.io/container\":\"app\"");

            applications.remove(0).close();

            assertThat(exists(CRD_CANDIDATE)).isFalse();
        }

        @Test
        void theCandidateSaysThatItsKindIsNotServedAndIsAnnouncedInTheNativeFormatOnceThatIs() {
            try (EmbeddedApiServer bare = EmbeddedApiServer.builder()
                    .withoutCustomResourceDefinitions()
                    .start()) {
                Journal journal = run(bare, "a", "--cle.fallback.delay=0s", "--cle.candidate.binary-version=1.2.0");
                assertThat(journal.next("granted")).isEqualTo("granted orders-a");
                CoordinatedLeaseLock lock = applications.get(0).getBean(CoordinatedLeaseLock.class);
                await().atMost(PATIENCE)
                        .untilAsserted(() -> assertThat(lock.snapshot().uncoordinated())
                                .contains("deploy/helm/files/crds/leasecandidates.yaml"));

                bare.serveNative(true);

                await().atMost(PATIENCE).until(() -> lock.snapshot().candidate() != null && lock.isLeader());
                applications.remove(0).close();
            }
        }
    }

    @Nested
    class ChangeOfTheNativeApi {

        @Test
        void changeOfTheNativeApiTakesOneTermAndTheNextBeginsInTheCrdFormatIfNoVersionIsLeft(CapturedOutput output) {
            server.serveNative(true);
            Journal journal = run("a", "--cle.fallback.delay=0s", "--cle.candidate.binary-version=1.2.0");
            assertThat(journal.next("granted")).isEqualTo("granted orders-a");
            CoordinatedLeaseLock lock = applications.get(0).getBean(CoordinatedLeaseLock.class);
            long token = lock.fencingToken().orElseThrow();
            assertThat(exists(CRD_CANDIDATE)).isFalse();

            server.serveNative(false);

            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(lock.snapshot().contacts().candidacy())
                            .returns(false, LockSnapshot.Contact::ok)
                            .extracting(LockSnapshot.Contact::problem)
                            .asString()
                            .contains("the API server doesn't serve coordination.k8s.io/v1beta1 leasecandidates"));
            assertThat(journal.next("granted|revoked")).isEqualTo("revoked STOPPED");
            assertThat(journal.next("granted|revoked")).isEqualTo("granted orders-a");
            await().atMost(PATIENCE)
                    .until(() -> lock.snapshot().contacts().candidacy().ok());
            await().atMost(PATIENCE).until(() -> exists(CRD_CANDIDATE));
            assertThat(output).contains("coordination.k8s.io/v1beta1 LeaseCandidates (native) are no longer served");
            assertThat(lock.fencingToken().orElseThrow()).isGreaterThan(token);

            server.serveNative(true);
            applications.get(0).close();
            assertThat(journal.next("revoked")).isEqualTo("revoked STOPPED");
            assertThat(exists(CRD_CANDIDATE)).isFalse();
        }

        @Test
        void changeOfTheNativeApiTakesOneTermAndTheNextBeginsInTheVersionThatIsLeft() {
            server.serveNativeVersions("v1beta1", "v1alpha2");
            Journal journal = run("a", "--cle.fallback.delay=0s", "--cle.candidate.binary-version=1.29");
            assertThat(journal.next("granted")).isEqualTo("granted orders-a");
            CoordinatedLeaseLock lock = applications.get(0).getBean(CoordinatedLeaseLock.class);
            await().atMost(PATIENCE).until(() -> lock.snapshot().candidate() != null);

            server.serveNativeVersions("v1alpha2");

            assertThat(journal.next("granted|revoked")).isEqualTo("revoked STOPPED");
            assertThat(journal.next("granted|revoked")).isEqualTo("granted orders-a");
            await().atMost(PATIENCE)
                    .until(() -> lock.snapshot().contacts().candidacy().ok());
            await().atMost(PATIENCE).until(() -> exists(NATIVE_CANDIDATE));
            await().atMost(PATIENCE).until(() -> lock.snapshot().candidate() != null);

            applications.remove(0).close();
            assertThat(exists(NATIVE_CANDIDATE)).isFalse();
        }
    }

    private boolean exists(String path) {
        return server.handle(ApiServerRequest.get(path)).code() == 200;
    }

    static final class Journal implements LeadershipListener {
        private final BlockingQueue<String> events = new LinkedBlockingQueue<>();

        @Override
        public void onAnnounced() {
            events.add("announced");
        }

        @EventListener
        void on(OnGrantedLeadership granted) {
            events.add("granted " + granted.identity());
        }

        @EventListener
        void on(OnRevokedLeadership revoked) {
            events.add("revoked " + revoked.reason());
        }

        @EventListener
        void on(OnLeaderChanged changed) {
            events.add("leader " + changed.holder());
        }

        /** Returns the next {@code number} events of these kinds. */
        List<String> next(String kinds, int number) {
            return Stream.generate(() -> next(kinds)).limit(number).toList();
        }

        /** Returns the next event of a kind, and skips others before it. */
        String next(String kind) {
            try {
                String event = events.poll(30, TimeUnit.SECONDS);
                while (event != null && !event.matches("(" + kind + ")\\b.*")) {
                    event = events.poll(30, TimeUnit.SECONDS);
                }
                assertThat(event).as("an event '%s' in time", kind).isNotNull();
                return event;
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {

        @Bean
        Journal journal() {
            return new Journal();
        }

        @Bean
        LeaseLockCustomizer announcements(Journal journal) {
            return (name, lock) -> lock.addListener(journal);
        }
    }
}
