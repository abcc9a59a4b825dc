package io.cle.spring.event.internal;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.cle.lock.RevokeReason;
import io.cle.lock.Term;
import io.cle.spring.FakeLock;
import io.cle.spring.event.OnGrantedLeadership;
import io.cle.spring.event.OnLeaderChanged;
import io.cle.spring.event.OnRevokedLeadership;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.context.event.GenericApplicationListener;
import org.springframework.context.event.SimpleApplicationEventMulticaster;
import org.springframework.context.support.StaticApplicationContext;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.Order;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(OutputCaptureExtension.class)
class LeadershipEventPublisherTests {

    private final FakeLock lock = new FakeLock("orders");
    private final BlockingQueue<Object> published = new LinkedBlockingQueue<>();

    @Test
    void termsAndHoldersArePublishedInOrder() throws InterruptedException {
        LeadershipEventPublisher publisher = new LeadershipEventPublisher(published::add);
        publisher.customize("orders", lock);

        lock.changeLeader("orders-a");
        Term term = lock.grant();
        lock.revoke(RevokeReason.END_OF_TERM).join();
        lock.changeLeader(null);

        assertThat(List.of(next(), next(), next(), next()))
                .containsExactly(
                        new OnLeaderChanged("orders", "orders-a", "orders-a"),
                        new OnGrantedLeadership("orders", "orders-a", 41, term),
                        new OnRevokedLeadership("orders", "orders-a", 41, RevokeReason.END_OF_TERM, term),
                        new OnLeaderChanged("orders", null, "orders-a"));
        publisher.destroy();
    }

    private Object next() throws InterruptedException {
        return published.poll(10, TimeUnit.SECONDS);
    }

    @Test
    void itIsKnownWhetherTheNewHolderIsThisProcess() {
        assertThat(new OnLeaderChanged("orders", "orders-a", "orders-a").isSelf())
                .isTrue();
        assertThat(new OnLeaderChanged("orders", "orders-b", "orders-a").isSelf())
                .isFalse();
        assertThat(new OnLeaderChanged("orders", null, "orders-a").isSelf()).isFalse();
    }

    @Test
    void beansThatAreAboutToBeDestroyedAreNotCalledWhenAnotherProcessLeadsNext() throws InterruptedException {
        StaticApplicationContext context = new StaticApplicationContext();
        context.addApplicationListener(
                (PayloadApplicationEvent<OnLeaderChanged> event) -> published.add(event.getPayload()));
        context.refresh();
        LeadershipEventPublisher publisher = new LeadershipEventPublisher(context);
        publisher.customize("orders", lock);

        publisher.onClose(new ContextClosedEvent(new StaticApplicationContext()));
        lock.changeLeader("orders-a");
        assertThat(next()).isEqualTo(new OnLeaderChanged("orders", "orders-a", "orders-a"));
        publisher.onClose(new ContextClosedEvent(context));
        lock.changeLeader("orders-b");
        // It returns when the listeners have been called with the grant, and so with all events before it.
        lock.grant();

        assertThat(published).isEmpty();
        publisher.destroy();
    }

    @Nested
    class AContextThatIsKnownToCloseBeforeItsTermsHaveEnded {

        @Test
        void isInformedOfTheEndOfItsTerm() throws InterruptedException {
            try (Application application = new Application(Recording.class)) {
                lock.grant();
                assertThat(application.next()).isEqualTo("granted");

                application.publisher.onClose(new ContextClosedEvent(application.context));
                assertThat(lock.revoke(RevokeReason.STOPPED)).succeedsWithin(Duration.ofSeconds(10));

                assertThat(application.log).containsExactly("revoked");
            }
        }

        @Test
        void isNotInformedOfTheEndOfATermWhoseBeginningItHasNotSeen() {
            try (Application application = new Application(Recording.class)) {
                application.publisher.onClose(new ContextClosedEvent(application.context));
                lock.grant();
                assertThat(lock.revoke(RevokeReason.STOPPED)).succeedsWithin(Duration.ofSeconds(10));

                assertThat(application.log).isEmpty();
            }
        }
    }

    @Nested
    class ALazyListener {

        @Test
        void isMadeByItsFirstEvent() throws InterruptedException {
            try (Application application = new Application(LazyListener.class)) {
                assertThat(application.context.getBeanFactory().containsSingleton("LazyListener"))
                        .isFalse();

                lock.grant();

                assertThat(application.next()).isEqualTo("granted");
            }
        }

        @Test
        void isCalledOnceForEachEvent() throws InterruptedException {
            try (Application application = new Application(LazyListener.class)) {
                lock.grant();
                lock.revoke(RevokeReason.END_OF_TERM).join();
                lock.grant();

                assertThat(application.next()).isEqualTo("granted");
                assertThat(application.next()).isEqualTo("granted");
                assertThat(application.log).isEmpty();
            }
        }
    }

    @Nested
    class AListenerThatThrows {

        @Test
        void keepsNoOtherFromBeingCalledAndIsNamed(CapturedOutput output) throws InterruptedException {
            try (Application application = new Application(Throwing.class, Recording.class)) {
                lock.grant();

                assertThat(application.next()).isEqualTo("granted");
                // On a slow machine the next listener is called before this one has thrown.
                Awaitility.await().untilAsserted(() -> {
                    assertThat(output).contains("Throwing.onGranted").contains("out of paper");
                    assertThat(application.publisher.problems()).singleElement().satisfies(problem -> {
                        assertThat(problem.listener()).contains("Throwing.onGranted");
                        assertThat(problem.event()).isEqualTo("OnGrantedLeadership");
                        assertThat(problem.problem()).contains("out of paper");
                    });
                });
            }
        }

        @Test
        void isNoProblemAnyMoreOnceItHandlesAnEventWell() throws InterruptedException {
            try (Application application = new Application(Throwing.class, Recording.class)) {
                lock.grant();
                application.next();
                application.context.getBean(Throwing.class).mended = true;
                lock.revoke(RevokeReason.END_OF_TERM).join();
                lock.grant();
                Awaitility.await().until(() -> application.publisher.problems().isEmpty());
            }
        }
    }

    @Test
    void aListenerThatCannotEvenBeAskedForItsEventsKeepsNoLaterEventFromBeingPublished() throws InterruptedException {
        try (Application application = new Application(Unaskable.class, Recording.class)) {
            lock.grant();
            lock.revoke(RevokeReason.END_OF_TERM).join();

            assertThat(application.next()).isEqualTo("revoked");
        }
    }

    @Nested
    class AListenerThatBlocks {

        @Test
        void keepsNoOtherFromBeingCalledAndIsNamed(CapturedOutput output) throws InterruptedException {
            try (Application application = new Application(Blocking.class, Recording.class)) {
                lock.grant();

                assertThat(application.next()).isEqualTo("granted");
                assertThat(output).contains("Blocking.onGranted").contains("has not returned");
                assertThat(application.publisher.problems())
                        .singleElement()
                        .satisfies(problem -> assertThat(problem.listener()).contains("Blocking.onGranted"));
                application.context.getBean(Blocking.class).mayReturn.countDown();
                Awaitility.await().until(() -> application.publisher.problems().isEmpty());
            }
        }

        @Test
        void isWaitedForBeforeTheLeaseIsReleasedIfItHandlesTheRevocation() throws InterruptedException {
            try (Application application = new Application(BlockingOnRevoked.class, Recording.class)) {
                lock.grant();
                CompletableFuture<Void> drained = lock.revoke(RevokeReason.END_OF_TERM);

                assertThat(application.next()).isEqualTo("granted");
                assertThat(application.next()).isEqualTo("revoked");
                assertThat(drained).isNotDone();

                application.context.getBean(BlockingOnRevoked.class).mayReturn.countDown();
                assertThat(drained).succeedsWithin(Duration.ofSeconds(10));
            }
        }

        @Test
        void getsItsEventsInOrderAndOneAtATime() throws InterruptedException {
            try (Application application = new Application(BlockingAndRecording.class)) {
                lock.grant();
                lock.revoke(RevokeReason.END_OF_TERM);
                assertThat(application.next()).isEqualTo("granted");
                Awaitility.await().until(() -> !application.publisher.problems().isEmpty());
                assertThat(application.log)
                        .as("while it has not returned from the grant")
                        .isEmpty();

                application
                        .context
                        .getBean(BlockingAndRecording.class)
                        .mayReturn
                        .countDown();

                assertThat(application.next()).isEqualTo("returned");
                assertThat(application.next()).isEqualTo("revoked");
            }
        }
    }

    @Test
    void anApplicationsOwnMulticasterIsLeftInCharge() throws InterruptedException {
        try (Application application = new Application(OwnMulticaster.class, Recording.class)) {
            lock.grant();
            assertThat(application.next()).isEqualTo("granted");
            assertThat(application.context.getBean(OwnMulticaster.class).published)
                    .hasPositiveValue();
        }
    }

    /** A context with some listeners, and the publisher of the lock's events. */
    private final class Application implements AutoCloseable {
        private final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
        private final BlockingQueue<String> log = new LinkedBlockingQueue<>();
        private final LeadershipEventPublisher publisher;

        Application(Class<?>... beans) {
            context.registerBean("log", Log.class, () -> new Log(log));
            for (Class<?> bean : beans) {
                context.registerBean(
                        bean == OwnMulticaster.class ? "applicationEventMulticaster" : bean.getSimpleName(), bean);
            }
            context.refresh();
            publisher = new LeadershipEventPublisher(context, Duration.ofMillis(50));
            publisher.customize("orders", lock);
        }

        String next() throws InterruptedException {
            return log.poll(10, TimeUnit.SECONDS);
        }

        @Override
        public void close() {
            publisher.destroy();
            context.close();
        }
    }

    record Log(BlockingQueue<String> entries) {}

    @Lazy
    record LazyListener(Log log) implements ApplicationListener<PayloadApplicationEvent<OnGrantedLeadership>> {

        @Override
        public void onApplicationEvent(PayloadApplicationEvent<OnGrantedLeadership> event) {
            log.entries().add("granted");
        }
    }

    static class Throwing {
        private volatile boolean mended;

        @Order(1)
        @EventListener
        void onGranted(OnGrantedLeadership granted) {
            if (!mended) {
                throw new IllegalStateException("out of paper");
            }
        }
    }

    static class Unaskable implements GenericApplicationListener {

        @Override
        public boolean supportsEventType(ResolvableType type) {
            if (type.hasGenerics() && type.getGeneric().resolve() == OnGrantedLeadership.class) {
                throw new NoClassDefFoundError("Missing");
            }
            return false;
        }

        @Override
        public void onApplicationEvent(ApplicationEvent event) {
            throw new AssertionError("it supports no event");
        }
    }

    static class Blocking {
        final CountDownLatch mayReturn = new CountDownLatch(1);

        @Order(1)
        @EventListener
        void onGranted(OnGrantedLeadership granted) throws InterruptedException {
            mayReturn.await();
        }
    }

    static class BlockingOnRevoked {
        final CountDownLatch mayReturn = new CountDownLatch(1);

        @Order(1)
        @EventListener
        void onRevoked(OnRevokedLeadership revoked) throws InterruptedException {
            mayReturn.await();
        }
    }

    record Recording(Log log) {

        @Order(2)
        @EventListener
        void on(OnGrantedLeadership granted) {
            log.entries().add("granted");
        }

        @Order(2)
        @EventListener
        void on(OnRevokedLeadership revoked) {
            log.entries().add("revoked");
        }
    }

    static class BlockingAndRecording {
        final CountDownLatch mayReturn = new CountDownLatch(1);
        private final Log log;

        BlockingAndRecording(Log log) {
            this.log = log;
        }

        @EventListener({OnGrantedLeadership.class, OnRevokedLeadership.class})
        void on(Object event) throws InterruptedException {
            if (event instanceof OnRevokedLeadership) {
                log.entries().add("revoked");
                return;
            }
            log.entries().add("granted");
            mayReturn.await();
            log.entries().add("returned");
        }
    }

    static class OwnMulticaster extends SimpleApplicationEventMulticaster {
        private final AtomicInteger published = new AtomicInteger();

        @Override
        public void multicastEvent(ApplicationEvent event, ResolvableType type) {
            published.incrementAndGet();
            super.multicastEvent(event, type);
        }
    }
}
