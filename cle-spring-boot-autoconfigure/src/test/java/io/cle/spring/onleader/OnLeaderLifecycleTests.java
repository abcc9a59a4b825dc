package io.cle.spring.onleader;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import io.cle.CoordinatedLeaseLock;
import io.cle.RevokeReason;
import io.cle.spring.FakeLock;
import io.cle.spring.autoconfigure.CleAutoConfiguration;
import io.cle.spring.autoconfigure.CleOnLeaderAutoConfiguration;
import io.cle.spring.lock.internal.LeaseLockFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.Lifecycle;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

class OnLeaderLifecycleTests {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(CleAutoConfiguration.class, CleOnLeaderAutoConfiguration.class))
            .withBean(LeaseLockFactory.class, FakeLock::factory)
            .withPropertyValues("spring.application.name=orders");

    @ParameterizedTest
    @ValueSource(classes = {OfClass.class, OfBeanMethod.class})
    void aSmartLifecycleBeanLivesAsLongAsATerm(Class<?> configuration) {
        runner.withUserConfiguration(configuration).run(context -> {
            SmartLifecycle bean = context.getBean("container", SmartLifecycle.class);
            Container container = Container.latest;
            assertThat(bean.isRunning()).as("after the context has started").isFalse();
            assertThat(bean.isAutoStartup()).isFalse();
            context.publishEvent(new ApplicationReadyEvent(
                    new SpringApplication(), new String[0], context.getSourceApplicationContext(), Duration.ZERO));

            FakeLock lock = (FakeLock) context.getBean(CoordinatedLeaseLock.class);
            lock.grant();
            assertThat(container.calls.poll(10, TimeUnit.SECONDS)).isEqualTo("started");
            assertThat(bean.isRunning()).isTrue();

            CompletableFuture<Void> drained = lock.revoke(RevokeReason.END_OF_TERM);
            assertThat(container.calls.poll(10, TimeUnit.SECONDS)).isEqualTo("stopping");
            assertThat(drained).as("until the bean says that it has stopped").isNotDone();
            container.stopped();
            assertThat(drained).succeedsWithin(Duration.ofSeconds(10));
            assertThat(bean.isRunning()).isFalse();
        });
    }

    @ParameterizedTest
    @ValueSource(classes = {OfClass.class, OfBeanMethod.class})
    void noOtherPartOfTheContextStartsItWhileThisProcessDoesNotLead(Class<?> configuration) {
        runner.withUserConfiguration(configuration).run(context -> {
            SmartLifecycle bean = context.getBean("container", SmartLifecycle.class);
            bean.start();
            assertThat(bean.isRunning()).isFalse();
        });
    }

    /**
     * A context is stopped and started at a checkpoint, or by Spring Cloud's endpoints {@code pause} and {@code resume}.
     */
    @Test
    void isNotStartedByAContextThatIsStoppedAndStartedAgain() {
        runner.withUserConfiguration(OfClass.class).run(context -> {
            context.publishEvent(new ApplicationReadyEvent(
                    new SpringApplication(), new String[0], context.getSourceApplicationContext(), Duration.ZERO));
            FakeLock lock = (FakeLock) context.getBean(CoordinatedLeaseLock.class);
            Container container = Container.latest;

            context.stop();
            container.stopsAtOnce = true;
            context.start();
            assertThat(container.isRunning())
                    .as("while this process doesn't lead")
                    .isFalse();

            container.calls.clear();
            lock.grant();
            assertThat(container.calls.poll(10, TimeUnit.SECONDS)).isEqualTo("started");
            lock.revoke(RevokeReason.END_OF_TERM).join();
            assertThat(container.isRunning()).isFalse();
        });
    }

    @ParameterizedTest
    @ValueSource(classes = {OfFinalContainer.class, OfFactory.class})
    void isRefusedIfNothingKeepsTheContextFromStartingIt(Class<?> configuration) {
        runner.withUserConfiguration(configuration)
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOfSatisfying(OnLeaderUsageException.class, failure -> {
                            assertThat(failure).hasMessageContaining("can't keep the context from starting it");
                            assertThat(failure.action()).contains("LeaderKafkaListener", "LeaderScheduler");
                        }));
    }

    @ParameterizedTest
    @ValueSource(classes = {DeclaredAsInterface.class, DeclaredAsObject.class})
    void theClassOfTheBeanCountsWhateverItsMethodDeclares(Class<?> configuration) {
        runner.withUserConfiguration(configuration).run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(Container.latest.isRunning()).isFalse();
            context.publishEvent(new ApplicationReadyEvent(
                    new SpringApplication(), new String[0], context.getSourceApplicationContext(), Duration.ZERO));
            FakeLock lock = (FakeLock) context.getBean(CoordinatedLeaseLock.class);
            lock.grant();
            assertThat(Container.latest.calls.poll(10, TimeUnit.SECONDS)).isEqualTo("started");
            lock.revoke(RevokeReason.END_OF_TERM);
            assertThat(Container.latest.calls.poll(10, TimeUnit.SECONDS)).isEqualTo("stopping");
            Container.latest.stopped();
        });
    }

    static class Container implements SmartLifecycle {
        private static volatile Container latest;
        final BlockingQueue<String> calls = new LinkedBlockingQueue<>();
        private final AtomicReference<Runnable> whenStopped = new AtomicReference<>();
        private volatile boolean running;
        private volatile boolean stopsAtOnce;

        Container() {
            latest = this;
        }

        @Override
        public void start() {
            running = true;
            calls.add("started");
        }

        @Override
        public void stop() {
            throw new UnsupportedOperationException("stop(Runnable) must be called instead");
        }

        @Override
        public void stop(Runnable callback) {
            whenStopped.set(callback);
            calls.add("stopping");
            if (stopsAtOnce) {
                stopped();
            }
        }

        void stopped() {
            running = false;
            whenStopped.get().run();
        }

        @Override
        public boolean isRunning() {
            return running;
        }
    }

    @OnLeader
    static class LeadersContainer extends Container {}

    /** A container with a final {@code start()}, like those of messaging frameworks. */
    static class FinalContainer extends Container {
        @Override
        public final void start() {
            super.start();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OfClass {

        @Bean
        LeadersContainer container() {
            return new LeadersContainer();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OfBeanMethod {

        @Bean
        @OnLeader
        Container container() {
            return new Container();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OfFinalContainer {

        @Bean
        @OnLeader
        FinalContainer container() {
            return new FinalContainer();
        }
    }

    /** A factory with a lifecycle, like that of Quartz's scheduler. */
    static class ContainerFactory extends Container implements FactoryBean<String> {
        @Override
        public String getObject() {
            return "the product";
        }

        @Override
        public Class<?> getObjectType() {
            return String.class;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OfFactory {

        @Bean
        @OnLeader
        ContainerFactory container() {
            return new ContainerFactory();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class DeclaredAsInterface {

        @Bean
        @OnLeader
        Lifecycle container() {
            return new Container();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class DeclaredAsObject {

        @Bean
        @OnLeader
        Object container() {
            return new Container();
        }
    }
}
