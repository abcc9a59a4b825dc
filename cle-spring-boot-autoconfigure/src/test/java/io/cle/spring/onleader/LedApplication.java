package io.cle.spring.onleader;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import io.cle.spring.FakeLock;
import io.cle.spring.autoconfigure.CleAutoConfiguration;
import io.cle.spring.autoconfigure.CleOnLeaderAutoConfiguration;
import io.cle.spring.lock.LeaseLocks;
import io.cle.spring.lock.internal.LeaseLockFactory;
import io.cle.spring.lock.internal.Leases;
import io.cle.spring.lock.internal.WorkLog;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.context.PropertyPlaceholderAutoConfiguration;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.test.util.AopTestUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An application with the leases {@code orders} (the default) and {@code reports}, whose terms a test begins and ends.
 */
final class LedApplication {

    private LedApplication() {}

    static ApplicationContextRunner runner() {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        PropertyPlaceholderAutoConfiguration.class,
                        CleAutoConfiguration.class,
                        CleOnLeaderAutoConfiguration.class))
                .withBean(LeaseLockFactory.class, FakeLock::factory)
                .withPropertyValues("spring.application.name=orders", "cle.leases.reports.namespace=office");
    }

    /** Runs a test in an application that is ready, with a bean {@code worker} of the given type. */
    static void ready(Class<?> worker, Consumer<AssertableApplicationContext> test, String... properties) {
        ready(runner().withPropertyValues(properties).withBean("worker", worker), test);
    }

    static void ready(ApplicationContextRunner runner, Consumer<AssertableApplicationContext> test) {
        runner.run(context -> {
            assertThat(context).hasNotFailed();
            context.publishEvent(new ApplicationReadyEvent(
                    new SpringApplication(), new String[0], context.getSourceApplicationContext(), Duration.ZERO));
            test.accept(context);
        });
    }

    /** Asserts that the start of an application has failed because {@code @OnLeader} can't work on its bean {@code worker}. */
    static void assertThatStartIsRefused(
            AssertableApplicationContext context, String place, String reason, String action) {
        assertThat(NestedExceptionUtils.getMostSpecificCause(context.getStartupFailure()))
                .isInstanceOfSatisfying(OnLeaderUsageException.class, failure -> {
                    assertThat(failure).hasMessageContaining(place).hasMessageContaining("'worker'");
                    assertThat(failure).hasMessageContaining(reason);
                    assertThat(failure.action()).contains(action);
                });
    }

    static FakeLock lock(AssertableApplicationContext context) {
        return lock(context, "orders");
    }

    static FakeLock lock(AssertableApplicationContext context, String name) {
        return (FakeLock) context.getBean(LeaseLocks.class).get(name);
    }

    /** Returns a bean without its guard, which is a proxy and has no fields. */
    static <T> T target(ApplicationContext context, Class<T> type) {
        return AopTestUtils.getTargetObject(context.getBean(type));
    }

    /** Returns the status of the bean's only led work. */
    static WorkLog.Status status(AssertableApplicationContext context) {
        return context.getBean(Leases.class).main().work().get(0);
    }

    static <T> T next(BlockingQueue<T> queue) {
        try {
            T next = queue.poll(10, TimeUnit.SECONDS);
            assertThat(next).as("arrives in time").isNotNull();
            return next;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(10, TimeUnit.SECONDS)).as("in time").isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
