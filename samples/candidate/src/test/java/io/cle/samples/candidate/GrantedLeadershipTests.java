package io.cle.samples.candidate;

import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import io.cle.CoordinatedLeaseLock;
import io.cle.LeadershipListener;
import io.cle.Registration;
import io.cle.RevokeReason;
import io.cle.Term;
import io.cle.spring.event.OnGrantedLeadership;
import io.cle.spring.event.OnLeaderChanged;
import io.cle.spring.event.OnRevokedLeadership;
import io.cle.spring.onleader.OnLeader;
import io.cle.spring.test.AutoConfigureLeadership;
import io.cle.spring.test.Leadership;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.event.EventListener;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests of an application's led work, without a cluster and without waiting. */
@SpringBootTest
@AutoConfigureLeadership
class GrantedLeadershipTests {

    @Autowired
    private Leadership leadership;

    @Autowired
    private CoordinatedLeaseLock lock;

    @Autowired
    private Reports reports;

    @Autowired
    private Events events;

    @Test
    void doesNotLeadUntilGranted() {
        assertThat(lock.isLeader()).isFalse();

        leadership.grant();

        assertThat(lock.isLeader()).isTrue();
        assertThat(lock.fencingToken()).isPresent();
    }

    @Test
    void ledWorkRunsOnceGrantedAndHasEndedOnceRevoked() throws InterruptedException {
        leadership.grant();
        assertThat(reports.begin()).isTrue();

        leadership.revoke(RevokeReason.END_OF_TERM);
        leadership.awaitWorkEnded();

        assertThat(lock.isLeader()).isFalse();
        assertThat(reports.haveEnded()).isTrue();
    }

    @Test
    void listenersHearOfTheHolderAfterTheTermsBeginningAndEnd() throws InterruptedException {
        leadership.grant();
        leadership.revoke(RevokeReason.END_OF_TERM);

        for (String expected : List.of("OnGrantedLeadership", "held", "OnRevokedLeadership", "free")) {
            events.await(expected);
        }
    }

    @Test
    void anErrorOfAListenerKeepsNoOtherFromBeingCalled() {
        LeadershipListener failing = new LeadershipListener() {
            @Override
            public void onGranted(Term term) {
                throw new NoClassDefFoundError("Missing");
            }
        };
        CompletableFuture<Term> granted = new CompletableFuture<>();
        LeadershipListener next = new LeadershipListener() {
            @Override
            public void onGranted(Term term) {
                granted.complete(term);
            }
        };
        List<Registration> registrations = List.of(lock.addListener(failing), lock.addListener(next));
        try {
            assertThat(granted).isNotDone();
            Term term = leadership.grant();
            assertThat(granted).isCompletedWithValue(term);
        } finally {
            registrations.forEach(Registration::close);
        }
    }

    static class Events {

        private final BlockingQueue<String> seen = new LinkedBlockingQueue<>();

        @EventListener({OnGrantedLeadership.class, OnRevokedLeadership.class})
        void on(Object event) {
            seen.add(event.getClass().getSimpleName());
        }

        @EventListener
        void on(OnLeaderChanged changed) {
            seen.add(changed.isSelf() ? "held" : "free");
        }

        /** Waits for an event, and skips others, such as those of earlier tests. */
        void await(String expected) throws InterruptedException {
            String next;
            do {
                next = seen.poll(10, TimeUnit.SECONDS);
                assertThat(next).as("while '%s' is awaited", expected).isNotNull();
            } while (!expected.equals(next));
        }
    }

    @TestConfiguration(proxyBeanMethods = false)
    static class Work {

        @Bean
        Events events() {
            return new Events();
        }

        @Bean
        Reports reports() {
            return new Reports();
        }
    }

    static class Reports {

        private final CountDownLatch begun = new CountDownLatch(1);
        private final CountDownLatch ended = new CountDownLatch(1);

        boolean begin() throws InterruptedException {
            return begun.await(10, TimeUnit.SECONDS);
        }

        boolean haveEnded() {
            return ended.getCount() == 0;
        }

        @OnLeader
        void write() throws InterruptedException {
            begun.countDown();
            try {
                new CountDownLatch(1).await();
            } finally {
                ended.countDown();
            }
        }
    }
}
