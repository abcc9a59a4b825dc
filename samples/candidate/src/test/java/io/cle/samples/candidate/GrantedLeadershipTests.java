package io.cle.samples.candidate;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.cle.lock.RevokeReason;
import io.cle.runtime.CoordinatedLeaseLock;
import io.cle.spring.onleader.OnLeader;
import io.cle.spring.test.AutoConfigureLeadership;
import io.cle.spring.test.Leadership;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;

import static org.assertj.core.api.Assertions.assertThat;

/** How an application tests its led work without a cluster and without waiting. */
@SpringBootTest
@AutoConfigureLeadership
class GrantedLeadershipTests {

    @Autowired
    private Leadership leadership;

    @Autowired
    private CoordinatedLeaseLock lock;

    @Autowired
    private Reports reports;

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
        assertThat(reports.begun.await(10, TimeUnit.SECONDS)).isTrue();

        leadership.revoke(RevokeReason.END_OF_TERM);
        leadership.awaitWorkEnded();

        assertThat(lock.isLeader()).isFalse();
        assertThat(reports.ended.getCount()).isZero();
    }

    @TestConfiguration(proxyBeanMethods = false)
    static class Work {

        @Bean
        Reports reports() {
            return new Reports();
        }
    }

    static class Reports {

        final CountDownLatch begun = new CountDownLatch(1);
        final CountDownLatch ended = new CountDownLatch(1);

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
