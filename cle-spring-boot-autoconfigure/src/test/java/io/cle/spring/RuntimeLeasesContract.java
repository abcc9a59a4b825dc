package io.cle.spring;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;

import io.cle.CoordinatedLeaseLock;
import io.cle.kubernetes.KubernetesAccess;
import io.cle.kubernetes.internal.transport.ApiRequest;
import io.cle.kubernetes.internal.transport.ApiResponse;
import io.cle.kubernetes.internal.transport.OkHttpTransport;
import io.cle.kubernetes.internal.transport.ResourceType;
import io.cle.spring.lock.NewLease;
import io.cle.spring.lock.RuntimeLeases;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A lease that two replicas create and drop while they run. No lease expires during the test: a replica that comes to lead was given the lease
 * back.
 */
abstract class RuntimeLeasesContract {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final String application = "imports-" + UUID.randomUUID().toString().substring(0, 8);
    private final String tenant = application + "-tenant";
    private final Queue<String> running = new ConcurrentLinkedQueue<>();

    /** Access to the API server. */
    abstract KubernetesAccess access();

    private RuntimeLeases replica(Applications applications, String identity) {
        ApplicationContext context = applications.start(
                identity,
                new Object(),
                List.of(),
                "--spring.application.name=" + application,
                "--cle.fallback.delay=0s",
                "--cle.lease-duration=3600s");
        return context.getBean(RuntimeLeases.class);
    }

    /** Its work shows as long as it runs. */
    private CoordinatedLeaseLock create(RuntimeLeases leases, String identity) {
        return leases.create(NewLease.named(tenant).work("import", term -> {
            running.add(identity);
            try {
                new CountDownLatch(1).await();
            } finally {
                running.remove(identity);
            }
        }));
    }

    private void onlyRuns(String identity) {
        Awaitility.await("the work of " + identity)
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(running).containsExactly(identity));
    }

    @Test
    void isLedByOneReplicaAndByTheOtherWhenThatOneDropsIt() throws InterruptedException {
        try (Applications applications = new Applications(access())) {
            RuntimeLeases first = replica(applications, "a");
            RuntimeLeases second = replica(applications, "b");
            assertThat(create(first, "a").awaitLeadership(PATIENCE)).isTrue();
            CoordinatedLeaseLock standby = create(second, "b");
            onlyRuns("a");

            first.drop(tenant).toCompletableFuture().join();

            assertThat(running).doesNotContain("a");
            assertThat(standby.awaitLeadership(PATIENCE)).isTrue();
            onlyRuns("b");
        }
    }

    private ApiResponse.Answered object() {
        ApiRequest request = new ApiRequest(
                ApiRequest.Verb.GET, ResourceType.LEASES, "default", tenant, Map.of(), null, Duration.ofSeconds(10));
        return (ApiResponse.Answered)
                OkHttpTransport.to(access()).send(request).toCompletableFuture().join();
    }

    @Test
    void isLabelledWithTheApplicationAndKept() throws InterruptedException {
        try (Applications applications = new Applications(access())) {
            RuntimeLeases leases = replica(applications, "a");
            NewLease lease = NewLease.named(tenant).property("namespace", "default");
            assertThat(leases.create(lease).awaitLeadership(PATIENCE)).isTrue();
            assertThat(object().body()
                            .getAsJsonObject("metadata")
                            .getAsJsonObject("labels")
                            .toString())
                    .contains(
                            "\"app.kubernetes.io/name\":\"" + application + "\"",
                            "\"app.kubernetes.io/managed-by\":\"coordinated-leader-election\"");

            leases.drop(tenant).toCompletableFuture().join();
            assertThat(object().status()).isEqualTo(200);
        }
    }

    @Test
    void canBeCreatedAgainAfterItWasDropped() throws InterruptedException {
        try (Applications applications = new Applications(access())) {
            RuntimeLeases leases = replica(applications, "a");
            CoordinatedLeaseLock former = create(leases, "a");
            assertThat(former.awaitLeadership(PATIENCE)).isTrue();
            long token = former.fencingToken().orElseThrow();
            leases.drop(tenant).toCompletableFuture().join();

            CoordinatedLeaseLock lock = create(leases, "a");

            assertThat(lock.awaitLeadership(PATIENCE)).isTrue();
            assertThat(lock.fencingToken().orElseThrow()).isGreaterThan(token);
            assertThat(former.isLeader()).isFalse();
            onlyRuns("a");
        }
    }
}
