package io.cle.samples.candidate;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

import io.cle.CoordinatedLeaseLock;
import io.cle.Role;
import io.cle.spring.event.OnLeaderChanged;
import io.cle.spring.test.EmbeddedCluster;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.LivenessState;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.event.EventListener;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Leadership that depends on the process's health: {@code cle.candidate.requires} and {@code cle.candidate.enabled}. */
class CandidateRequirementTests {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @RegisterExtension
    static final EmbeddedCluster cluster = new EmbeddedCluster();

    private final List<ConfigurableApplicationContext> replicas = new CopyOnWriteArrayList<>();

    @AfterEach
    void stop() {
        replicas.forEach(ConfigurableApplicationContext::close);
    }

    private ConfigurableApplicationContext replica(String lease, String identity, String... more) {
        ConfigurableApplicationContext replica = new SpringApplicationBuilder(CandidateApplication.class, Changes.class)
                .run(Stream.concat(
                                Stream.of(
                                        "--cle.kubernetes.base-url=" + cluster.url(),
                                        "--cle.lease-name=" + lease,
                                        "--cle.identity=" + identity,
                                        "--cle.lease-duration=4s",
                                        "--cle.renew-deadline=3s",
                                        "--cle.retry-period=200ms"),
                                Stream.of(more))
                        .toArray(String[]::new));
        replicas.add(replica);
        return replica;
    }

    private static CoordinatedLeaseLock lock(ConfigurableApplicationContext replica) {
        return replica.getBean(CoordinatedLeaseLock.class);
    }

    private static void leads(ConfigurableApplicationContext replica) {
        await().atMost(PATIENCE).until(() -> lock(replica).isLeader());
    }

    private static void isACandidate(ConfigurableApplicationContext replica) {
        await().atMost(PATIENCE).until(() -> lock(replica).snapshot().candidate() != null);
    }

    @Test
    void aLeaderThatIsNotReadyHandsOverAndIsACandidateAgainWhenItIs() {
        ConfigurableApplicationContext first = replica("ready", "a");
        leads(first);
        ConfigurableApplicationContext second = replica("ready", "b");
        isACandidate(second);

        AvailabilityChangeEvent.publish(first, ReadinessState.REFUSING_TRAFFIC);

        leads(second);
        await().atMost(PATIENCE).until(() -> lock(first).snapshot().candidate() == null);
        assertThat(lock(first).snapshot().role()).isEqualTo(Role.STOPPED);
        assertThat(lock(first).leader()).hasValue("ready-b");

        AvailabilityChangeEvent.publish(first, ReadinessState.ACCEPTING_TRAFFIC);

        isACandidate(first);
        assertThat(lock(second).isLeader()).isTrue();
    }

    @Test
    void theOnlyCandidateLeadsOnThoughItIsNotReady() {
        ConfigurableApplicationContext only = replica("alone", "a");
        leads(only);
        long lists = lists();

        AvailabilityChangeEvent.publish(only, ReadinessState.REFUSING_TRAFFIC);

        // It has looked for another candidate twice.
        await().atMost(PATIENCE).until(() -> lists() >= lists + 2);
        assertThat(lock(only).isLeader()).isTrue();
    }

    private static long lists() {
        return cluster.apiServer().requests().of("list", "leasecandidates");
    }

    @ParameterizedTest
    @CsvSource({"readiness, false", "liveness, false", "none, true"})
    void aStandbyWhoseLivenessIsBrokenWithdrawsUnlessItRequiresNothing(String requires, boolean stays) {
        leads(replica("live-" + requires, "a"));
        ConfigurableApplicationContext standby =
                replica("live-" + requires, "b", "--cle.candidate.requires=" + requires);
        isACandidate(standby);

        AvailabilityChangeEvent.publish(standby, LivenessState.BROKEN);

        await().atMost(PATIENCE).until(() -> (lock(standby).snapshot().role() == Role.CANDIDATE) == stays);
        assertThat(lock(standby).snapshot().observed().holder()).isEqualTo("live-" + requires + "-a");
    }

    @Test
    void aStandbyThatRequiresOnlyLivenessStaysThoughItIsNotReady() {
        leads(replica("only-live", "a"));
        ConfigurableApplicationContext standby = replica("only-live", "b", "--cle.candidate.requires=liveness");
        isACandidate(standby);

        AvailabilityChangeEvent.publish(standby, ReadinessState.REFUSING_TRAFFIC);
        AvailabilityChangeEvent.publish(standby, LivenessState.BROKEN);

        await().atMost(PATIENCE).until(() -> lock(standby).snapshot().role() == Role.STOPPED);
        assertThat(lock(standby).snapshot().history().toString())
                .contains("because liveness is BROKEN")
                .doesNotContain("REFUSING_TRAFFIC");
    }

    @Test
    void aProcessThatIsNoCandidateKnowsTheLeaderAndIsNeverElected() {
        ConfigurableApplicationContext follower = replica("followed", "z", "--cle.candidate.enabled=false");
        ConfigurableApplicationContext leader = replica("followed", "a");
        leads(leader);

        await().atMost(PATIENCE)
                .until(() ->
                        lock(follower).leader().filter("followed-a"::equals).isPresent());
        await().atMost(PATIENCE)
                .until(() -> follower.getBean(Changes.class).leaders.contains("followed-a"));
        leader.close();
        await().atMost(PATIENCE).until(() -> lock(follower).leader().isEmpty());
        assertThat(lock(follower).snapshot().candidate()).isNull();
        assertThat(lock(follower).isLeader()).isFalse();
    }

    static class Changes {

        private final List<String> leaders = new CopyOnWriteArrayList<>();

        @EventListener
        void on(OnLeaderChanged change) {
            leaders.add(String.valueOf(change.holder()));
        }
    }
}
