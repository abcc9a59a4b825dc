package io.cle.spring.onleader;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.event.EventListener;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.Ordered;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

/** Led work is guarded, or the start fails: no bean is injected without its guard. */
class OnLeaderAppliedTests {

    private static final List<String> calls = new CopyOnWriteArrayList<>();

    @BeforeEach
    void forgetCalls() {
        calls.clear();
    }

    private static void assertThatStartFails(ApplicationContextRunner runner, String... message) {
        runner.run(context -> {
            assertThat(context).hasFailed();
            assertThat(NestedExceptionUtils.getMostSpecificCause(context.getStartupFailure()))
                    .isInstanceOfSatisfying(
                            OnLeaderUsageException.class,
                            failure -> assertThat(failure).hasMessageContainingAll(message));
        });
    }

    static Object[] tooEarly() {
        return new Object[] {
            argumentSet(
                    "injected into a bean method",
                    OfBeanMethod.class,
                    "Worker.on of bean 'worker'",
                    "needed by [processor]"),
            argumentSet(
                    "injected into a static method",
                    OfStatic.class,
                    "Worker.on of bean 'worker'",
                    "needed by [processor]"),
            argumentSet(
                    "by way of a service",
                    OfService.class,
                    "Worker.on of bean 'worker'",
                    "needed by [service, another]"),
            argumentSet("configuration", OfConfiguration.class, "OfConfiguration.on", "needed by [processor]"),
            argumentSet("ordered processor", OfProcessor.class, "LedProcessor.on of bean 'worker'", "post-processor"),
            argumentSet("factory processor", OfFactoryProcessor.class, "LedFactoryProcessor.on", "post-processor"),
            argumentSet("lifecycle", OfLifecycle.class, "bean 'worker'", "needed by [processor]"),
            argumentSet("product of a factory", OfFactory.class, "Plain.on of bean 'worker'", "needed by [processor]"),
            argumentSet("work", OfWork.class, "Work.work of bean 'worker'", "needed by [processor]")
        };
    }

    @ParameterizedTest
    @MethodSource("tooEarly")
    void aBeanThatIsCreatedBeforeGuardsAreAppliedFailsTheStart(Class<?> configuration, String place, String cause) {
        assertThatStartFails(
                LedApplication.runner().withUserConfiguration(configuration), place, "is not guarded", cause);
    }

    @Test
    void aFactoryThatIsALifecycleAndIsCreatedTooEarlyFailsTheStart() {
        assertThatStartFails(
                LedApplication.runner().withUserConfiguration(OfLifecycleFactory.class),
                "bean 'worker'",
                "it is a FactoryBean");
    }

    @Test
    void aBeanThatIsCreatedBeforeGuardsAreAppliedFailsTheStartAlsoIfElectionIsSwitchedOff() {
        assertThatStartFails(
                LedApplication.runner()
                        .withPropertyValues("cle.enabled=false")
                        .withUserConfiguration(OfBeanMethod.class),
                "is not guarded");
    }

    @Test
    void anObjectThatIsRegisteredAsABeanFailsTheStart() {
        assertThatStartFails(
                LedApplication.runner()
                        .withInitializer(context -> context.getBeanFactory().registerSingleton("worker", new Worker())),
                "Worker.on of bean 'worker'",
                "is not guarded",
                "registered as an object");
    }

    @ParameterizedTest
    @ValueSource(classes = {Itself.class, OneOfTwo.class})
    void aBeanThatIsAskedForBeforeItsGuardIsAppliedFailsTheStart(Class<?> configuration) {
        assertThatStartFails(
                LedApplication.runner().withAllowCircularReferences(true).withUserConfiguration(configuration),
                "of bean 'worker'",
                "circular reference");
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                LookedUpLater.class,
                UnorderedProcessor.class,
                LazyBean.class,
                FactoryOfProduct.class,
                WrappedByHand.class,
                LazilyItself.class
            })
    void aBeanThatIsCreatedInTimeIsGuarded(Class<?> configuration) {
        LedApplication.ready(
                LedApplication.runner().withAllowCircularReferences(true).withUserConfiguration(configuration),
                context -> {
                    context.publishEvent("refused");
                    LedApplication.lock(context).grant();
                    context.publishEvent("let in");
                    assertThat(calls).containsExactly("let in");
                });
    }

    static class Worker {
        @OnLeader
        @EventListener
        public void on(String event) {
            calls.add(event);
        }
    }

    static class Plain {
        @EventListener
        public void on(String event) {
            calls.add(event);
        }
    }

    static class Work {
        @OnLeader
        public void work() {}
    }

    static class LedProcessor implements BeanPostProcessor, Ordered {
        @OnLeader
        @EventListener
        public void on(String event) {}

        @Override
        public int getOrder() {
            return 0;
        }
    }

    static class LedFactoryProcessor implements BeanFactoryPostProcessor {
        @OnLeader
        @EventListener
        public void on(String event) {}

        @Override
        public void postProcessBeanFactory(ConfigurableListableBeanFactory beanFactory) {}
    }

    static class Processor implements BeanPostProcessor, Ordered {
        @Override
        public int getOrder() {
            return 0;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OfBeanMethod {
        @Bean
        Processor processor(Worker worker) {
            return new Processor();
        }

        @Bean
        Worker worker() {
            return new Worker();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OfStatic {
        @Bean
        static Processor processor(Worker worker) {
            return new Processor();
        }

        @Bean
        static Worker worker() {
            return new Worker();
        }
    }

    record Service(Worker worker) {}

    @Configuration(proxyBeanMethods = false)
    static class OfService {
        @Bean
        static Processor processor(Service service) {
            return new Processor();
        }

        @Bean
        static Service service(Worker worker) {
            return new Service(worker);
        }

        @Bean
        static Worker worker() {
            return new Worker();
        }

        /** Also depends on the worker, but is created after the worker could have been guarded. */
        @Bean
        static Service another(Worker worker) {
            return new Service(worker);
        }
    }

    @Configuration
    static class OfConfiguration {
        @Bean
        Processor processor() {
            return new Processor();
        }

        @OnLeader
        @EventListener
        public void on(String event) {}
    }

    @Configuration(proxyBeanMethods = false)
    static class OfProcessor {
        @Bean
        static LedProcessor worker() {
            return new LedProcessor();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OfFactoryProcessor {
        @Bean
        static LedFactoryProcessor worker() {
            return new LedFactoryProcessor();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OfLifecycle {
        @Bean
        static Processor processor(StartedBean worker) {
            return new Processor();
        }

        @Bean
        @OnLeader
        static StartedBean worker() {
            return new StartedBean();
        }
    }

    static class LifecycleFactory extends StartedBean implements FactoryBean<String> {
        @Override
        public String getObject() {
            return "";
        }

        @Override
        public Class<?> getObjectType() {
            return String.class;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OfLifecycleFactory {
        @Bean
        static Processor processor(LifecycleFactory worker) {
            return new Processor();
        }

        @Bean
        @OnLeader
        static LifecycleFactory worker() {
            return new LifecycleFactory();
        }
    }

    static class Factory implements FactoryBean<Plain> {
        @Override
        public Plain getObject() {
            return new Plain();
        }

        @Override
        public Class<?> getObjectType() {
            return Plain.class;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OfFactory {
        @Bean
        static Processor processor(Plain worker) {
            return new Processor();
        }

        @Bean
        @OnLeader
        static Factory worker() {
            return new Factory();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OfWork {
        @Bean
        static Processor processor(Work worker) {
            return new Processor();
        }

        @Bean
        static Work worker() {
            return new Work();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableScheduling
    static class Itself {
        @Bean
        SelfInjected worker() {
            return new SelfInjected();
        }
    }

    static class SelfInjected {
        @Autowired
        @SuppressWarnings("unused")
        private SelfInjected self;

        @OnLeader
        @Scheduled(fixedDelay = 1_000_000)
        public void tick() {}
    }

    @Configuration(proxyBeanMethods = false)
    @EnableScheduling
    static class OneOfTwo {
        @Bean
        First worker() {
            return new First();
        }

        @Bean
        Second second() {
            return new Second();
        }
    }

    static class First {
        @Autowired
        @SuppressWarnings("unused")
        private Second second;

        @OnLeader
        @Scheduled(fixedDelay = 1_000_000)
        public void tick() {}
    }

    static class Second {
        @Autowired
        @SuppressWarnings("unused")
        private First first;
    }

    @Configuration(proxyBeanMethods = false)
    static class LazilyItself {
        @Bean
        Patient worker() {
            return new Patient();
        }
    }

    static class Patient extends Worker {
        @Lazy
        @Autowired
        @SuppressWarnings("unused")
        private Patient self;
    }

    @Configuration(proxyBeanMethods = false)
    static class LookedUpLater {
        @Bean
        static Processor processor(ObjectProvider<Worker> worker) {
            return new Processor();
        }

        @Bean
        static Worker worker() {
            return new Worker();
        }
    }

    static class UnorderedLedProcessor extends Worker implements BeanPostProcessor {}

    @Configuration(proxyBeanMethods = false)
    static class UnorderedProcessor {
        @Bean
        static UnorderedLedProcessor worker() {
            return new UnorderedLedProcessor();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class LazyBean {
        @Bean
        @Lazy
        Worker worker() {
            return new Worker();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class FactoryOfProduct {
        @Bean
        @OnLeader
        Factory worker() {
            return new Factory();
        }
    }

    interface Handler {
        @OnLeader
        @EventListener
        void on(String event);
    }

    static class HandlerImplementation implements Handler {
        @Override
        public void on(String event) {
            calls.add(event);
        }
    }

    static class Wrapper implements Handler {
        private final Handler wrapped;

        Wrapper(Handler wrapped) {
            this.wrapped = wrapped;
        }

        @Override
        public void on(String event) {
            wrapped.on(event);
        }
    }

    /** A bean that a library wraps after the guard was applied. */
    @Configuration(proxyBeanMethods = false)
    static class WrappedByHand {
        @Bean
        Handler worker() {
            return new HandlerImplementation();
        }

        @Bean
        static BeanPostProcessor wrapper() {
            return new BeanPostProcessor() {
                @Override
                public Object postProcessAfterInitialization(Object bean, String name) {
                    return bean instanceof Handler handler ? new Wrapper(handler) : bean;
                }
            };
        }
    }
}
