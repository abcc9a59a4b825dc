package io.cle.spring.onleader;

import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.cle.RevokeReason;
import io.cle.Shard;
import io.cle.Term;
import io.cle.spring.FakeLock;
import io.cle.spring.autoconfigure.CleAutoConfiguration;
import io.cle.spring.autoconfigure.CleKubernetesAutoConfiguration;
import io.cle.spring.autoconfigure.CleOnLeaderAutoConfiguration;
import io.cle.spring.lock.LeaseLocks;
import io.cle.spring.lock.Shards;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.event.EventListener;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.scheduling.annotation.Scheduled;

import static io.cle.spring.onleader.LedApplication.lock;
import static io.cle.spring.onleader.LedApplication.next;
import static io.cle.spring.onleader.LedApplication.target;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

/** Work of a lease with four shards. */
class OnLeaderShardsTests {

    private static final String FOUR = "cle.leases.items.shards=4";

    private static void ready(Class<?> worker, Consumer<AssertableApplicationContext> test) {
        LedApplication.ready(worker, test, FOUR);
    }

    private static Term grant(AssertableApplicationContext context, int shard) {
        return lock(context, "items-4-" + shard).grant();
    }

    static class Worker {
        final BlockingQueue<String> log = new LinkedBlockingQueue<>();

        @OnLeader("items")
        void work(Shard shard, Term term) {
            log.add(shard + " in " + term.lease().name() + " with " + term.fencingToken());
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException revoked) {
                log.add(shard + " ends");
            }
        }
    }

    @Test
    void ledMethodRunsOnceForEachShardThatIsHeld() {
        ready(Worker.class, context -> {
            Worker worker = target(context, Worker.class);
            grant(context, 2);
            assertThat(next(worker.log)).isEqualTo("2/4 in items-4-2 with 41");
            grant(context, 3);
            assertThat(next(worker.log)).isEqualTo("3/4 in items-4-3 with 41");
        });
    }

    @Test
    void ledMethodIsInterruptedOnlyForTheShardThatIsRevoked() {
        ready(Worker.class, context -> {
            Worker worker = target(context, Worker.class);
            grant(context, 2);
            next(worker.log);
            grant(context, 3);
            next(worker.log);

            lock(context, "items-4-2").revoke(RevokeReason.END_OF_TERM).join();

            assertThat(next(worker.log)).isEqualTo("2/4 ends");
            assertThat(worker.log).as("the other one goes on").isEmpty();
        });
    }

    static class Reversed {
        final BlockingQueue<String> log = new LinkedBlockingQueue<>();

        @OnLeader("items")
        void work(Term term, Shard shard) {
            log.add(shard + " is " + term.shard().orElseThrow() + " is "
                    + Shard.current().orElseThrow());
        }
    }

    @Test
    void parametersOfALedMethodMayBeInAnyOrder() {
        ready(Reversed.class, context -> {
            grant(context, 1);
            assertThat(next(target(context, Reversed.class).log)).isEqualTo("1/4 is 1/4 is 1/4");
        });
    }

    static class Guarded {
        final BlockingQueue<String> log = new LinkedBlockingQueue<>();

        @OnLeader("items")
        @EventListener
        public void on(String message) {
            Shard shard = Shard.current().orElseThrow();
            Term term = Term.current().orElseThrow();
            log.add(shard + " of " + term.lease().name() + " of " + term.shard().orElseThrow());
            if (message.contains(String.valueOf(shard.index()))) {
                throw new IllegalStateException("shard " + shard + " fails");
            }
        }
    }

    @Test
    void guardedMethodRunsForEachShardThatIsHeldOneAfterTheOther() {
        ready(Guarded.class, context -> {
            grant(context, 3);
            grant(context, 0);
            context.getBean(Guarded.class).on("");
            assertThat(target(context, Guarded.class).log)
                    .containsExactly("0/4 of items-4-0 of 0/4", "3/4 of items-4-3 of 3/4");
            assertThat(Shard.current()).isEmpty();
        });
    }

    @Test
    void guardedMethodDoesNotRunIfNoShardIsHeld() {
        ready(Guarded.class, context -> {
            context.getBean(Guarded.class).on("");
            assertThat(target(context, Guarded.class).log).isEmpty();
        });
    }

    @Test
    void guardedMethodThatFailsForSomeShardsRunsForTheOthers() {
        ready(Guarded.class, context -> {
            Stream.of(0, 1, 2, 3).forEach(shard -> grant(context, shard));

            assertThatThrownBy(() -> context.getBean(Guarded.class).on("1 and 2"))
                    .hasMessage("shard 1/4 fails")
                    .satisfies(failure -> assertThat(failure.getSuppressed())
                            .singleElement()
                            .satisfies(other -> assertThat(other).hasMessage("shard 2/4 fails")));
            assertThat(target(context, Guarded.class).log).hasSize(4);
        });
    }

    @Test
    void shardsBeanTellsWhatIsHeld() {
        ready(Guarded.class, context -> {
            Shards shards = context.getBean(Shards.class);
            Term term = grant(context, 3);
            String key = Stream.iterate(0, i -> i + 1)
                    .map(String::valueOf)
                    .filter(new Shard(3, 4)::owns)
                    .findFirst()
                    .orElseThrow();
            assertThat(shards.count()).isEqualTo(4);
            assertThat(shards.held()).containsExactly(new Shard(3, 4));
            assertThat(shards.shardOf(key)).isEqualTo(new Shard(3, 4));
            assertThat(shards.term(key)).hasValueSatisfying(running -> {
                assertThat(running.fencingToken()).isEqualTo(term.fencingToken());
                assertThat(running.shard()).contains(new Shard(3, 4));
            });
            assertThat(shards.leaderOf(key)).contains("items-4-3-a");

            lock(context, "items-4-3").revoke(RevokeReason.END_OF_TERM).join();
            assertThat(shards.held()).isEmpty();
            assertThat(shards.term(key)).isEmpty();
        });
    }

    static class TwoShardedLeases {
        final Shards items;
        final Shards goods;

        TwoShardedLeases(@Qualifier("items") Shards items, @Qualifier("goods") Shards goods) {
            this.items = items;
            this.goods = goods;
        }
    }

    @Test
    void shardsBeanIsInjectedByTheNameOfItsLease() {
        LedApplication.ready(
                TwoShardedLeases.class,
                context -> {
                    TwoShardedLeases two = context.getBean(TwoShardedLeases.class);
                    assertThat(List.of(two.items.count(), two.goods.count())).containsExactly(4, 2);
                    assertThatThrownBy(() -> context.getBean(LeaseLocks.class).get("items"))
                            .hasMessage(
                                    "the lease 'items' is led in 4 parts, each of which is a lease: items-4-0 and so on");
                    assertThat(context).hasBean("itemsShards").doesNotHaveBean("itemsCoordinatedLeaseLock");
                },
                FOUR,
                "cle.leases.goods.shards=2");
    }

    @Test
    void shardsOfAnApplicationWithoutElectionAreThereAndNotLed() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        CleAutoConfiguration.class,
                        CleKubernetesAutoConfiguration.class,
                        CleOnLeaderAutoConfiguration.class))
                .withPropertyValues("cle.enabled=false", FOUR)
                .withBean("worker", Guarded.class)
                .run(context -> {
                    Shards shards = context.getBean(Shards.class);
                    assertThat(shards.count()).isEqualTo(4);
                    assertThat(shards.held()).isEmpty();
                    assertThat(context.getBean(LeaseLocks.class).names()).contains("items-4-3");
                    context.getBean(Guarded.class).on("");
                    assertThat(target(context, Guarded.class).log).isEmpty();
                });
    }

    @Test
    void shardsThatTheApplicationsOwnLocksDoNotHaveFailTheStart() {
        LedApplication.runner()
                .withPropertyValues(FOUR)
                .withBean(
                        "mine",
                        LeaseLocks.class,
                        () -> LeaseLocks.of(
                                new FakeLock("orders"),
                                Map.of("reports", new FakeLock("reports"), "items", new FakeLock("items"))))
                .run(context -> assertThat(NestedExceptionUtils.getMostSpecificCause(context.getStartupFailure()))
                        .hasMessageContaining(
                                "the lease 'items' has no shards, although cle.leases.items.shards is set")
                        .hasMessageContaining("LeaseLocks"));
    }

    static Object[] misuses() {
        return new Object[] {
            argumentSet(
                    "shard of a lease without shards",
                    Unsharded.class,
                    "Unsharded.work",
                    "its lease 'reports' has no shards",
                    "cle.leases.<name>.shards"),
            argumentSet("result for each shard", Result.class, "Result.tick", "returns int", "(void)"),
            argumentSet("led bean", Started.class, "bean 'worker'", "'items', which is led in parts", "Shard"),
            argumentSet("one shard", OfOneShard.class, "OfOneShard.work", "'items-4-2'", "[orders, reports, items]")
        };
    }

    @ParameterizedTest
    @MethodSource("misuses")
    void whatCanNotWorkWithShardsFailsTheStart(Class<?> bean, String place, String reason, String action) {
        LedApplication.runner()
                .withPropertyValues(FOUR)
                .withBean("worker", bean)
                .run(context -> LedApplication.assertThatStartIsRefused(context, place, reason, action));
    }

    static class Unsharded {
        @OnLeader("reports")
        void work(Shard shard) {}
    }

    static class Result {
        @OnLeader("items")
        @Scheduled(fixedDelay = 1, timeUnit = TimeUnit.DAYS)
        public int tick() {
            return 1;
        }
    }

    @OnLeader("items")
    static class Started implements SmartLifecycle {
        @Override
        public void start() {}

        @Override
        public void stop() {}

        @Override
        public boolean isRunning() {
            return false;
        }
    }

    static class OfOneShard {
        @OnLeader("items-4-2")
        void work() {}
    }
}
