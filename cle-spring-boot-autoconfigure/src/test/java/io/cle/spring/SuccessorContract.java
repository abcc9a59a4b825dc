package io.cle.spring;

import java.time.Duration;
import java.util.List;
import java.util.UUID;

import io.cle.CoordinatedLeaseLock;
import io.cle.Resignation;
import io.cle.kubernetes.KubernetesAccess;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/** A leader that names its successor: there is no election, and no other candidate leads in between. */
abstract class SuccessorContract {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final String lease = "orders-" + UUID.randomUUID().toString().substring(0, 8);

    abstract KubernetesAccess access();

    private CoordinatedLeaseLock candidate(Applications applications, String identity) {
        ApplicationContext application = applications.start(
                identity,
                new Object(),
                List.of(),
                "--spring.application.name=" + lease,
                "--cle.fallback.delay=0s",
                "--cle.candidate.binary-version=1.0.0");
        CoordinatedLeaseLock lock = application.getBean(CoordinatedLeaseLock.class);
        Awaitility.await("the candidacy of " + identity)
                .atMost(PATIENCE)
                .until(() -> lock.snapshot().candidate() != null);
        return lock;
    }

    @Test
    void theSuccessorLeadsNextAndNoOtherCandidate() throws InterruptedException {
        try (Applications applications = new Applications(access())) {
            CoordinatedLeaseLock first = candidate(applications, "a");
            assertThat(first.awaitLeadership(PATIENCE)).isTrue();
            candidate(applications, "b");
            CoordinatedLeaseLock successor = candidate(applications, "c");

            assertThat(first.resign(lease + "-c").toCompletableFuture().join()).isEqualTo(Resignation.RELEASED);

            assertThat(successor.awaitLeadership(PATIENCE)).isTrue();
            assertThat(successor.snapshot().observed().transitions()).isOne();
        }
    }

    @Test
    void aProcessThatIsNoCandidateIsRefusedAndTheLeaderGoesOn() throws InterruptedException {
        try (Applications applications = new Applications(access())) {
            CoordinatedLeaseLock leader = candidate(applications, "a");
            assertThat(leader.awaitLeadership(PATIENCE)).isTrue();
            long token = leader.fencingToken().orElseThrow();

            assertThat(leader.resign(lease + "-x").toCompletableFuture().join()).isEqualTo(Resignation.NOT_A_CANDIDATE);

            assertThat(leader.fencingToken()).hasValue(token);
        }
    }
}
