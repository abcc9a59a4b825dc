package io.cle.spring.test;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

import io.cle.Shard;
import io.cle.Term;
import io.cle.spring.autoconfigure.CleAutoConfiguration;
import io.cle.spring.autoconfigure.CleOnLeaderAutoConfiguration;
import io.cle.spring.lock.Shards;
import io.cle.spring.onleader.OnLeader;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.test.util.AopTestUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Shards whose leadership a test grants and revokes. */
class GrantedShardTests {

    private static void run(BiConsumer<Leadership, AssertableApplicationContext> test) {
        new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(CleAutoConfiguration.class, CleOnLeaderAutoConfiguration.class))
                .withUserConfiguration(LeadershipTestConfiguration.class)
                .withBean(Worker.class)
                .withPropertyValues("spring.application.name=shop", "cle.leases.orders.shards=4")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    context.publishEvent(new ApplicationReadyEvent(
                            new SpringApplication(),
                            new String[0],
                            context.getSourceApplicationContext(),
                            Duration.ZERO));
                    test.accept(context.getBean(Leadership.class), context);
                });
    }

    static class Worker {
        final BlockingQueue<String> log = new LinkedBlockingQueue<>();

        @OnLeader("orders")
        void work(Shard shard) {
            log.add(shard + " begins");
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                log.add(shard + " ends");
            }
        }

        String next() {
            try {
                return String.valueOf(log.poll(10, TimeUnit.SECONDS));
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }

    @Test
    void grantedShardIsWorkedOnUntilItIsRevoked() {
        run((leadership, context) -> {
            Worker worker = AopTestUtils.getTargetObject(context.getBean(Worker.class));
            Term term = leadership.grant("orders", 3);
            assertThat(term.shard()).contains(new Shard(3, 4));
            assertThat(worker.next()).isEqualTo("3/4 begins");
            assertThat(context.getBean(Shards.class).held()).containsExactly(new Shard(3, 4));

            leadership.revoke("orders", 3);

            assertThat(worker.next()).isEqualTo("3/4 ends");
            leadership.of("orders", 3).awaitWorkEnded();
            assertThat(context.getBean(Shards.class).held()).isEmpty();
        });
    }

    @Test
    void grantedShardThatDoesNotExistIsRefused() {
        run((leadership, context) -> {
            assertThatThrownBy(() -> leadership.grant("orders", 4))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("of the 4 shards of the lease 'orders', none has the number 4");
            assertThatThrownBy(() -> leadership.grant("shop", 0)).hasMessageContaining("'shop' isn't led in parts");
            assertThatThrownBy(() -> leadership.grant("nowhere", 0))
                    .hasMessage("there is no lease 'nowhere'; there are [orders, shop]");
            assertThatThrownBy(() -> leadership.of("orders")).hasMessageContaining("'orders' is led in 4 shards");
        });
    }
}
