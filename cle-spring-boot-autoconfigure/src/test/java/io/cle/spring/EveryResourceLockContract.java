package io.cle.spring;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

import io.cle.ResourceLock;
import io.cle.kubernetes.KubernetesAccess;
import io.cle.spring.actuate.internal.LeaderElectionEndpoint;
import io.cle.spring.event.OnGrantedLeadership;
import io.cle.spring.event.OnLeaderChanged;
import io.cle.spring.event.OnRevokedLeadership;
import io.cle.spring.onleader.OnLeader;
import org.awaitility.Awaitility;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.context.ApplicationContext;
import org.springframework.context.event.EventListener;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/** Events, {@code @OnLeader} and the endpoint work alike with every resource lock. */
abstract class EveryResourceLockContract {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final List<String> FIELDS = List.of(
            "lease",
            "kind",
            "role",
            "identity",
            "holder",
            "fencingToken",
            "acquireTime",
            "renewTime",
            "validFor",
            "strategy",
            "electedBy",
            "uncoordinated",
            "transitions",
            "endOfTerm",
            "preferredHolder",
            "candidate",
            "candidacy",
            "writes",
            "timing",
            "contact",
            "history",
            "work");

    abstract KubernetesAccess access();

    /** The events of all applications, in order. */
    record Timeline(List<String> entries) {

        void add(String entry) {
            entries.add(entry);
        }

        void await(String entry) {
            Awaitility.await(entry).atMost(PATIENCE).until(() -> entries.contains(entry));
        }
    }

    /** Records all events. */
    static class Witness {
        private final Timeline timeline;
        private final String replica;

        Witness(Timeline timeline, String replica) {
            this.timeline = timeline;
            this.replica = replica;
        }

        @EventListener
        void on(OnGrantedLeadership granted) {
            assertThat(granted.fencingToken()).isPositive();
            timeline.add(replica + ": granted to " + granted.identity());
        }

        @EventListener
        void on(OnRevokedLeadership revoked) {
            timeline.add(replica + ": revoked from " + revoked.identity() + ", " + revoked.reason());
        }

        @EventListener
        void on(OnLeaderChanged changed) {
            timeline.add(replica + ": held by " + changed.holder() + (changed.isSelf() ? ", itself" : ""));
        }
    }

    /** Works until the term ends. */
    static class Worker {
        private final Timeline timeline;
        private final String replica;

        Worker(Timeline timeline, String replica) {
            this.timeline = timeline;
            this.replica = replica;
        }

        @OnLeader
        void work() {
            timeline.add(replica + ": work begins");
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException revoked) {
                Thread.currentThread().interrupt();
            } finally {
                timeline.add(replica + ": work ends");
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void eventsAnnotationAndEndpointAreTheSame(ResourceLock lock) {
        String lease = "orders-" + UUID.randomUUID().toString().substring(0, 8);
        String prefix = lock.coordinated() ? lease + "-" : "";
        String a = prefix + "a";
        String b = prefix + "b";
        Timeline timeline = new Timeline(new CopyOnWriteArrayList<>());
        String[] arguments = {
            "--spring.application.name=" + lease,
            "--cle.resource-lock=" + lock.name().toLowerCase(Locale.ROOT),
            "--cle.fallback.delay=0s",
            "--management.endpoints.web.exposure.include=*"
        };
        try (Applications applications = new Applications(access())) {
            List<Class<?>> beans = List.of(Witness.class, Worker.class);
            ApplicationContext first = applications.start("a", timeline, beans, arguments);
            timeline.await("a: work begins");
            ApplicationContext second = applications.start("b", timeline, beans, arguments);
            timeline.await("b: held by " + a);

            JsonNode leader = onEndpoint(first, lease);
            JsonNode candidate = onEndpoint(second, lease);
            assertThat(leader.propertyNames()).containsExactlyInAnyOrderElementsOf(FIELDS);
            assertThat(candidate.propertyNames()).containsExactlyInAnyOrderElementsOf(FIELDS);
            assertThat(leader.get("role").asString()).isEqualTo("LEADER");
            assertThat(leader.get("fencingToken").asLong()).isPositive();
            assertThat(leader.get("kind").asString()).isEqualTo(lock.coordinated() ? "coordinated" : "direct");
            assertThat(candidate.get("role").asString()).isEqualTo("CANDIDATE");
            assertThat(candidate.get("identity").asString()).isEqualTo(b);
            assertThat(candidate.get("holder").asString()).isEqualTo(a);

            first.getBean(LeaderElectionEndpoint.class).resign(lease);
            timeline.await("b: work begins");
            applications.end("b");
        }
        List<String> entries = timeline.entries();
        assertThat(entries)
                .containsSubsequence("a: granted to " + a, "a: held by " + a + ", itself")
                .containsSubsequence("a: granted to " + a, "a: work begins", "b: held by " + a)
                .containsSubsequence("a: revoked from " + a + ", RESIGNED", "b: granted to " + b, "b: work begins")
                .containsSubsequence("a: work ends", "b: granted to " + b)
                .contains("b: revoked from " + b + ", STOPPED", "b: work ends");
    }

    private static JsonNode onEndpoint(ApplicationContext application, String lease) {
        JsonMapper json = JsonMapper.shared();
        LeaderElectionEndpoint endpoint = application.getBean(LeaderElectionEndpoint.class);
        return json.valueToTree(endpoint.leases()).get("leases").get(lease);
    }
}
