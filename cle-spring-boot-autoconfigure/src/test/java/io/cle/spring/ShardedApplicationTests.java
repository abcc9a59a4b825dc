package io.cle.spring;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;

import io.cle.CoordinatedLeaseLock;
import io.cle.Shard;
import io.cle.Term;
import io.cle.kubernetes.KubernetesAccess;
import io.cle.model.ObjectKey;
import io.cle.spring.actuate.internal.GroupDescriptor;
import io.cle.spring.actuate.internal.LeaderElectionEndpoint;
import io.cle.spring.actuate.internal.LeaderElectionHealthIndicator;
import io.cle.spring.event.OnGrantedLeadership;
import io.cle.spring.event.OnLeaderChanged;
import io.cle.spring.event.OnRevokedLeadership;
import io.cle.spring.lock.LeaseLocks;
import io.cle.spring.lock.Shards;
import io.cle.spring.onleader.OnLeader;
import io.cle.test.apiserver.EmbeddedApiServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.event.EventListener;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.test.util.AopTestUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.map;
import static org.awaitility.Awaitility.await;

/** Applications that share a lease with shards, on an API server with a coordinator. */
@ExtendWith(OutputCaptureExtension.class)
class ShardedApplicationTests extends OnCoordinatedServer {

    private ConfigurableApplicationContext start(String identity, Class<?>... beans) {
        return applications.start(
                identity,
                new Object(),
                List.of(beans),
                "--spring.application.name=shop",
                "--cle.candidate.binary-version=1.0.0",
                "--cle.leases.orders.shards=16");
    }

    private static Shards shards(ConfigurableApplicationContext context) {
        return context.getBean(Shards.class);
    }

    /** Work that runs once per shard, and at each tick. */
    @EnableScheduling
    static class Worker {
        private final Set<String> worked = ConcurrentHashMap.newKeySet();
        private final Set<String> ticked = ConcurrentHashMap.newKeySet();

        @OnLeader(lease = "orders")
        void work(Shard shard, Term term) {
            worked.add(shard + " by " + term.lease().name());
        }

        @OnLeader(lease = "orders")
        @Scheduled(fixedDelay = 100)
        public void tick() {
            ticked.add(Shard.current().orElseThrow() + " by "
                    + Term.current().orElseThrow().lease().name());
        }
    }

    @Test
    void workOfTheOnlyReplicaRunsForEachShard() {
        Worker worker = AopTestUtils.getTargetObject(start("a", Worker.class).getBean(Worker.class));

        List<String> all = IntStream.range(0, 16)
                .mapToObj(shard -> shard + "/16 by orders-16-" + shard)
                .toList();
        await().atMost(PATIENCE).untilAsserted(() -> {
            assertThat(worker.worked).containsExactlyInAnyOrderElementsOf(all);
            assertThat(worker.ticked).containsExactlyInAnyOrderElementsOf(all);
        });
    }

    @Test
    void theOnlyReplicaLeadsAllShards() {
        Shards shards = shards(start("a"));

        await().atMost(PATIENCE).untilAsserted(() -> assertThat(shards.held()).hasSize(16));
        assertThat(shards.count()).isEqualTo(16);
        assertThat(shards.leaderOf("customer-7")).contains("orders-a");
        assertThat(shards.term("customer-7").orElseThrow().lease())
                .isEqualTo(new ObjectKey(
                        "default", "orders-16-" + shards.shardOf("customer-7").index()));
    }

    @Test
    void twoReplicasLeadHalfOfTheShardsEach() {
        Shards first = shards(start("a"));
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(first.held()).hasSize(16));
        Shards second = shards(start("b"));

        await().atMost(PATIENCE).untilAsserted(() -> {
            assertThat(first.held()).hasSize(8);
            assertThat(second.held()).hasSize(8).doesNotContainAnyElementsOf(first.held());
        });
        List<Shard> all = new ArrayList<>(first.held());
        all.addAll(second.held());
        assertThat(Set.copyOf(all)).hasSize(16);
    }

    @Test
    void aReplicaThatLeadsNoShardIsHealthyAndShowsThemAll() {
        ConfigurableApplicationContext first = start("a");
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(shards(first).held()).hasSize(16));
        ConfigurableApplicationContext follower = applications.start(
                "b",
                new Object(),
                List.of(),
                "--spring.application.name=shop",
                "--cle.leases.orders.shards=16",
                "--cle.candidate.enabled=false",
                "--management.endpoints.web.exposure.include=*");

        await().atMost(PATIENCE).untilAsserted(() -> {
            assertThat(shards(follower).leaderOf("customer-7")).contains("orders-a");
            assertThat(follower.getBean(LeaderElectionHealthIndicator.class)
                            .health()
                            .getStatus())
                    .isEqualTo(Status.UP);
        });
        assertThat(shards(follower).held()).isEmpty();
        LeaderElectionEndpoint endpoint = follower.getBean(LeaderElectionEndpoint.class);
        assertThat(endpoint.leases().leases()).hasSize(16).containsKeys("orders-16-0", "orders-16-15");
        GroupDescriptor group = new GroupDescriptor(16, List.of(), Map.of("orders-a", 16), 0);
        await().atMost(PATIENCE)
                .untilAsserted(
                        () -> assertThat(endpoint.leases().groups()).containsExactly(Map.entry("orders", group)));
        assertThat(follower.getBean(LeaderElectionHealthIndicator.class)
                        .health()
                        .getDetails())
                .extractingByKey("leases", map(String.class, Object.class))
                .hasSize(1)
                .extractingByKey("orders", map(String.class, Object.class))
                .containsEntry("shards", 16)
                .containsEntry("held", 0L)
                .containsEntry("identity", "orders-b");
    }

    @Test
    void aReplicaThatIsNotReadyGivesAllShardsToTheOther() {
        ConfigurableApplicationContext first = start("a");
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(shards(first).held()).hasSize(16));
        Shards second = shards(start("b"));
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(second.held()).hasSize(8));

        AvailabilityChangeEvent.publish(first, ReadinessState.REFUSING_TRAFFIC);

        await().atMost(PATIENCE).untilAsserted(() -> assertThat(second.held()).hasSize(16));
        assertThat(shards(first).held()).isEmpty();
    }

    @Test
    void aClusterWithTheNativeFormatAloneLeadsNoShardAndSaysWhatIsMissing(CapturedOutput output) {
        try (EmbeddedApiServer bare = EmbeddedApiServer.builder()
                        .withoutCustomResourceDefinitions()
                        .serveNative(true)
                        .start();
                Applications onBare = new Applications(KubernetesAccess.at(bare.url()))) {
            ConfigurableApplicationContext context = onBare.start(
                    "a",
                    new Object(),
                    List.of(),
                    "--spring.application.name=shop",
                    "--cle.candidate.binary-version=1.0.0",
                    "--cle.leases.orders.shards=2",
                    "--cle.fallback.delay=0s");
            CoordinatedLeaseLock shard = context.getBean(LeaseLocks.class).get("orders-2-1");

            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(shard.snapshot().uncoordinated())
                            .startsWith("shards need the CRD LeaseCandidate; "));
            await().atMost(PATIENCE)
                    .until(() -> context.getBean(CoordinatedLeaseLock.class).isLeader());
            assertThat(shards(context).held()).isEmpty();
            assertThat(output).contains("shards need the CRD LeaseCandidate");
        }
    }

    /** Records the events of the shards. */
    static class Witness {
        private final List<Object> events = new CopyOnWriteArrayList<>();

        @EventListener
        void on(OnGrantedLeadership granted) {
            granted.shard().ifPresent(shard -> events.add("granted " + granted.lease() + " = " + shard));
        }

        @EventListener
        void on(OnRevokedLeadership revoked) {
            revoked.shard().ifPresent(shard -> events.add("revoked " + revoked.lease() + " = " + shard));
        }

        @EventListener
        void on(OnLeaderChanged changed) {
            changed.shard().ifPresent(shard -> events.add(changed.holder() + " holds " + shard));
        }
    }

    @Test
    void eventsHaveTheirShard() {
        ConfigurableApplicationContext context = start("a", Witness.class);
        Witness witness = context.getBean(Witness.class);
        await().atMost(PATIENCE)
                .untilAsserted(
                        () -> assertThat(witness.events).contains("granted orders-16-3 = 3/16", "orders-a holds 3/16"));

        applications.end("a");

        assertThat(witness.events).contains("revoked orders-16-3 = 3/16");
    }

    @Test
    void aStartOfShardsIsLoggedInOneLine(CapturedOutput output) {
        Shards shards = shards(start("a"));
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(shards.held()).hasSize(16));

        assertThat(output.getAll().lines().filter(line -> line.contains("is a candidate for")))
                .hasSize(1)
                .anySatisfy(line -> assertThat(line)
                        .contains(
                                "Lease orders: is a candidate for 16 shards (default/orders-16-*) as 'orders-a'",
                                "strategy Balanced"));
    }

    @Test
    void aProcessOfItsOwnLeadsAllShards() {
        ConfigurableApplicationContext context = new SpringApplicationBuilder(
                        Applications.Application.class, Worker.class)
                .web(WebApplicationType.NONE)
                .registerShutdownHook(false)
                .run("--spring.application.name=shop", "--cle.mode=standalone", "--cle.leases.orders.shards=4");
        try (context) {
            Worker worker = AopTestUtils.getTargetObject(context.getBean(Worker.class));
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(worker.worked).hasSize(4));
            assertThat(shards(context).held()).hasSize(4);
            assertThat(shards(context).term("customer-7").flatMap(Term::shard))
                    .contains(shards(context).shardOf("customer-7"));
        }
    }
}
