package io.cle.spring.event.internal;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;

import io.cle.RevokeReason;
import io.cle.Term;
import io.cle.spring.FakeLock;
import io.cle.spring.event.OnGrantedLeadership;
import io.cle.spring.event.OnLeaderChanged;
import io.cle.spring.event.OnRevokedLeadership;
import io.cle.spring.lock.internal.Leases;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.context.event.SimpleApplicationEventMulticaster;
import org.springframework.core.annotation.Order;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(OutputCaptureExtension.class)
class LeadershipEventPublisherTests {

    private final FakeLock lock = new FakeLock("orders");
    private final Leases leases = FakeLock.leases(lock);

    @Test
    void publishesTermsAndHoldersInOrder() {
        try (Application application = new Application(Recording.class)) {
            lock.changeLeader("orders-a");
            Term term = lock.grant();
            lock.revoke(RevokeReason.END_OF_TERM).join();
            lock.changeLeader(null);

            assertThat(application.log)
                    .containsExactly(
                            new OnLeaderChanged("orders", "orders-a", "orders-a"),
                            new OnGrantedLeadership("orders", term),
                            new OnRevokedLeadership("orders", term, RevokeReason.END_OF_TERM),
                            new OnLeaderChanged("orders", null, "orders-a"));
        }
    }

    @Test
    void callsListenersOnTheCallbackThreadOfTheLease() {
        try (Application application = new Application(ThreadNames.class)) {
            lock.grant();

            assertThat(application.log).containsExactly("callbacks");
        }
    }

    @Test
    void holdsTheLeaseUntilListenersHaveReturnedFromTheRevocation() {
        try (Application application = new Application(BlockingOnRevoked.class)) {
            lock.grant();
            CompletableFuture<Void> drained = lock.revoke(RevokeReason.END_OF_TERM);
            assertThat(drained).isNotDone();

            application.context.getBean(BlockingOnRevoked.class).mayReturn.countDown();

            assertThat(drained).succeedsWithin(Duration.ofSeconds(10));
        }
    }

    @Test
    void knowsWhetherTheNewHolderIsThisProcess() {
        assertThat(new OnLeaderChanged("orders", "orders-a", "orders-a").isSelf())
                .isTrue();
        assertThat(new OnLeaderChanged("orders", "orders-b", "orders-a").isSelf())
                .isFalse();
        assertThat(new OnLeaderChanged("orders", null, "orders-a").isSelf()).isFalse();
    }

    @Nested
    class AListenerThatThrows {

        @Test
        void aListenerThatThrowsIsLogged(CapturedOutput output) {
            try (Application application = new Application(Throwing.class)) {
                lock.grant();

                assertThat(application.log).isEmpty();
                assertThat(output)
                        .contains("Lease orders: a listener failed on OnGrantedLeadership[lease=orders")
                        .contains("NoClassDefFoundError: Printer")
                        .contains("Throwing.onGranted");
            }
        }

        @Test
        void aListenerThatThrowsKeepsNoLaterEventFromBeingPublished() {
            try (Application application = new Application(Throwing.class, Recording.class)) {
                Term term = lock.grant();
                lock.revoke(RevokeReason.END_OF_TERM).join();

                assertThat(application.log)
                        .containsExactly(new OnRevokedLeadership("orders", term, RevokeReason.END_OF_TERM));
            }
        }

        @Test
        void aListenerThatThrowsKeepsNoOtherFromBeingCalledIfTheApplicationHandlesErrors() {
            try (Application application = new Application(ErrorHandling.class, Throwing.class, Recording.class)) {
                Term term = lock.grant();

                assertThat(application.log).containsExactly(new OnGrantedLeadership("orders", term));
            }
        }
    }

    @Nested
    class AContextThatCloses {

        @Test
        void aContextThatClosesGetsTheEndOfItsTerm() {
            Application application = new Application(Recording.class, EndOfTerm.class);
            Term term = lock.grant();

            application.close();

            assertThat(application.log)
                    .containsExactly(
                            new OnGrantedLeadership("orders", term),
                            new OnRevokedLeadership("orders", term, RevokeReason.STOPPED));
        }

        @Test
        void aContextThatClosesGetsNothingOfATermWhoseBeginningItHasNotSeen() {
            Application application = new Application(Recording.class, WholeTerm.class);

            application.close();

            assertThat(lock.lastRevocation()).isDone();
            assertThat(application.log).isEmpty();
        }

        @Test
        void aContextThatClosesGetsNoNewHolder() {
            Application application = new Application(Recording.class, NewHolder.class);

            application.close();

            assertThat(application.log).isEmpty();
        }
    }

    /** A context with listeners and the publisher of the lock's events. */
    private final class Application implements AutoCloseable {
        private final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
        private final BlockingQueue<Object> log = new LinkedBlockingQueue<>();

        Application(Class<?>... beans) {
            context.registerBean("log", Log.class, () -> new Log(log));
            context.registerBean("lock", FakeLock.class, () -> lock);
            for (Class<?> bean : beans) {
                context.registerBean(
                        bean == ErrorHandling.class ? "applicationEventMulticaster" : bean.getSimpleName(), bean);
            }
            context.refresh();
            new LeadershipEventPublisher(context, leases).customize("orders", lock);
        }

        @Override
        public void close() {
            context.close();
        }
    }

    record Log(BlockingQueue<Object> entries) {}

    record Recording(Log log) {

        @Order(2)
        @EventListener({OnGrantedLeadership.class, OnRevokedLeadership.class, OnLeaderChanged.class})
        void on(Object event) {
            log.entries().add(event);
        }
    }

    record ThreadNames(Log log) {

        @EventListener
        void on(OnGrantedLeadership granted) {
            log.entries().add(Thread.currentThread().getName());
        }
    }

    static class Throwing {

        @Order(1)
        @EventListener
        void onGranted(OnGrantedLeadership granted) {
            throw new NoClassDefFoundError("Printer");
        }
    }

    static class BlockingOnRevoked {
        final CountDownLatch mayReturn = new CountDownLatch(1);

        @EventListener
        void onRevoked(OnRevokedLeadership revoked) throws InterruptedException {
            mayReturn.await();
        }
    }

    /** Ends the term when the context closes, as the real lifecycle does. */
    record EndOfTerm(FakeLock lock) {

        @EventListener
        void on(ContextClosedEvent closed) {
            lock.revoke(RevokeReason.STOPPED).join();
        }
    }

    record WholeTerm(FakeLock lock) {

        @EventListener
        void on(ContextClosedEvent closed) {
            lock.grant();
            lock.revoke(RevokeReason.STOPPED).join();
        }
    }

    record NewHolder(FakeLock lock) {

        @EventListener
        void on(ContextClosedEvent closed) {
            lock.changeLeader("orders-b");
        }
    }

    static class ErrorHandling extends SimpleApplicationEventMulticaster {

        ErrorHandling() {
            setErrorHandler(failure -> {});
        }
    }
}
