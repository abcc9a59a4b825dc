package io.cle.samples.candidate;

import java.time.Clock;
import java.time.Duration;

import io.cle.spring.lock.LeaseLockCustomizer;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * Joins the election and prints when it does so, when it leads and when it no longer leads: one line per event, with
 * the time. All other output goes to standard error.
 */
@SpringBootApplication
public class CandidateApplication {

    /** Runs the application until SIGTERM. */
    public static void main(String[] args) {
        SpringApplication.run(CandidateApplication.class, args);
    }

    @Bean
    static Timeline timeline() {
        return new Timeline(System.out, Clock.systemUTC());
    }

    /** Static, because it post-processes other beans. */
    @Bean
    static AnnouncementWatch announcementWatch(ObjectProvider<Timeline> timeline) {
        return new AnnouncementWatch(timeline);
    }

    /** Prints before other listeners are called. */
    @Bean
    @Order(Ordered.HIGHEST_PRECEDENCE)
    LeaseLockCustomizer printsTheTimeline(Timeline timeline) {
        return (name, lock) -> lock.addListener(timeline);
    }

    /** Simulates work that takes this long to end after leadership is revoked: the lease is held until then. */
    @Bean
    LeaseLockCustomizer drains(@Value("${candidate.drain:0s}") Duration drain) {
        return (name, lock) -> {
            if (!drain.isZero()) {
                lock.addListener(new SlowEnd(drain));
            }
        };
    }
}
