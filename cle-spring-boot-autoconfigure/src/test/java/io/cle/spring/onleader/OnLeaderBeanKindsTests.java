package io.cle.spring.onleader;

import java.util.Collection;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

import io.cle.spring.lock.internal.Leases;
import io.cle.spring.lock.internal.WorkLog;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.config.CustomScopeConfigurer;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.context.event.EventListener;
import org.springframework.context.support.SimpleThreadScope;
import org.springframework.core.NestedExceptionUtils;

import static io.cle.spring.onleader.LedApplication.lock;
import static io.cle.spring.onleader.LedApplication.ready;
import static org.assertj.core.api.Assertions.assertThat;

/** {@link OnLeader} on beans that consist of several objects, are created by a factory, or inherit the annotation. */
class OnLeaderBeanKindsTests {

    private final BlockingQueue<String> calls = new LinkedBlockingQueue<>();

    private ApplicationContextRunner with(Class<?> configuration) {
        return LedApplication.runner()
                .withBean("calls", Calls.class, () -> new Calls(calls))
                .withUserConfiguration(configuration);
    }

    record Calls(BlockingQueue<String> names) {}

    private static Collection<WorkLog.Status> status(AssertableApplicationContext context) {
        return context.getBean(Leases.class).main().work();
    }

    @Nested
    class BeanOfAScope {

        @ParameterizedTest
        @ValueSource(classes = {AnnotatedMethod.class, AnnotatedBeanMethod.class})
        void beanOfAScopeIsGuardedAndShownUnderItsOwnName(Class<?> configuration) {
            ready(with(configuration), context -> {
                context.publishEvent("refused");
                lock(context).grant();
                context.publishEvent("let in");
                assertThat(calls).containsExactly("let in");
                assertThat(status(context)).extracting(WorkLog.Status::work).containsExactly("worker.on");
            });
        }

        @ParameterizedTest
        @ValueSource(classes = {LedInScope.class, LedPrototype.class, LifecycleInScope.class})
        void beanOfAScopeIsRefusedIfItHasWorkOrIsStartedAndStopped(Class<?> configuration) {
            with(configuration)
                    .run(context -> assertThat(NestedExceptionUtils.getMostSpecificCause(context.getStartupFailure()))
                            .isInstanceOfSatisfying(OnLeaderUsageException.class, failure -> {
                                assertThat(failure)
                                        .hasMessageContaining("'worker'")
                                        .hasMessageMatching("(?s).*the bean is in the scope '(thread|prototype)'.*");
                                assertThat(failure.action()).contains("Make the bean a singleton");
                            }));
        }
    }

    @Nested
    class ProductOfAFactory {

        @Test
        void productOfAFactoryIsMeantByTheAnnotationOfTheFactorysBeanMethod() {
            ready(with(OfFactory.class), context -> {
                context.publishEvent("refused");
                lock(context).grant();
                context.publishEvent("let in");
                assertThat(calls).containsExactly("let in");
                assertThat(status(context)).extracting(WorkLog.Status::work).containsExactly("worker.on");
            });
        }
    }

    @Nested
    class MethodOfAGenericInterface {

        @Test
        void methodOfAGenericInterfaceGuardsItsImplementation() {
            ready(with(OfInterface.class), context -> {
                context.publishEvent("refused");
                lock(context).grant();
                context.publishEvent("let in");
                assertThat(calls).containsExactly("let in");
                assertThat(status(context)).extracting(WorkLog.Status::work).containsExactly("worker.on");
            });
        }
    }

    static class Unguarded {
        private final Calls calls;

        Unguarded(Calls calls) {
            this.calls = calls;
        }

        @EventListener
        public void on(String event) {
            calls.names().add(event);
        }
    }

    static class Guarded extends Unguarded {

        Guarded(Calls calls) {
            super(calls);
        }

        @Override
        @OnLeader
        @EventListener
        public void on(String event) {
            super.on(event);
        }
    }

    static class Worker {
        private final Calls calls;

        Worker(Calls calls) {
            this.calls = calls;
        }

        @OnLeader
        public void work() {
            calls.names().add("work");
        }
    }

    static class Factory implements FactoryBean<Unguarded> {
        private final Calls calls;

        Factory(Calls calls) {
            this.calls = calls;
        }

        @Override
        public Unguarded getObject() {
            return new Unguarded(calls);
        }

        @Override
        public Class<?> getObjectType() {
            return Unguarded.class;
        }
    }

    interface Handler<T> {

        @OnLeader
        @EventListener
        void on(T event);
    }

    static class Implementation implements Handler<String> {
        private final Calls calls;

        Implementation(Calls calls) {
            this.calls = calls;
        }

        @Override
        public void on(String event) {
            calls.names().add(event);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Scopes {

        @Bean
        static CustomScopeConfigurer scopes() {
            CustomScopeConfigurer scopes = new CustomScopeConfigurer();
            scopes.addScope("thread", new SimpleThreadScope());
            return scopes;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class AnnotatedMethod extends Scopes {

        @Bean
        @Scope(scopeName = "thread", proxyMode = ScopedProxyMode.TARGET_CLASS)
        Guarded worker(Calls calls) {
            return new Guarded(calls);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class AnnotatedBeanMethod extends Scopes {

        @Bean
        @OnLeader
        @Scope(scopeName = "thread", proxyMode = ScopedProxyMode.TARGET_CLASS)
        Unguarded worker(Calls calls) {
            return new Unguarded(calls);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class LedPrototype {

        @Bean
        @Scope("prototype")
        Worker worker(Calls calls) {
            return new Worker(calls);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class LifecycleInScope extends Scopes {

        @Bean
        @OnLeader
        @Scope(scopeName = "thread", proxyMode = ScopedProxyMode.TARGET_CLASS)
        StartedBean worker() {
            return new StartedBean();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class LedInScope extends Scopes {

        @Bean
        @Scope(scopeName = "thread", proxyMode = ScopedProxyMode.TARGET_CLASS)
        Worker worker(Calls calls) {
            return new Worker(calls);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OfFactory {

        @Bean
        @OnLeader
        Factory worker(Calls calls) {
            return new Factory(calls);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OfInterface {

        @Bean
        Implementation worker(Calls calls) {
            return new Implementation(calls);
        }
    }
}
