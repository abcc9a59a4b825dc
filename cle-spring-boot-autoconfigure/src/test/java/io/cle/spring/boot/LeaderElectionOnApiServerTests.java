package io.cle.spring.boot;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import io.cle.runtime.CoordinatedLeaseLock;
import io.cle.runtime.LeadershipListener;
import io.cle.spring.event.OnGrantedLeadership;
import io.cle.spring.event.OnLeaderChanged;
import io.cle.spring.event.OnRevokedLeadership;
import io.cle.spring.lock.LeaseLockCustomizer;
import io.cle.test.apiserver.EmbeddedApiServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;

import static org.assertj.core.api.Assertions.assertThat;

/** Whole applications against an API server, over HTTP. */
class LeaderElectionOnApiServerTests {

    private final EmbeddedApiServer server = EmbeddedApiServer.start();
    private final List<ConfigurableApplicationContext> applications = new ArrayList<>();

    @AfterEach
    void stop() {
        applications.forEach(ConfigurableApplicationContext::close);
        server.close();
    }

    private Journal run(String identity, String... arguments) {
        SpringApplication application = new SpringApplication(Application.class);
        application.setWebApplicationType(WebApplicationType.NONE);
        application.setRegisterShutdownHook(false);
        List<String> all = new ArrayList<>(List.of(
                "--spring.application.name=orders",
                "--spring.main.banner-mode=off",
                "--cle.kubernetes.base-url=" + server.url(),
                "--cle.namespace=default",
                "--cle.identity=" + identity,
                "--cle.retry-period=100ms"));
        all.addAll(List.of(arguments));
        ConfigurableApplicationContext context = application.run(all.toArray(String[]::new));
        applications.add(context);
        return context.getBean(Journal.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"leases", "endpoints", "configmaps"})
    void aDirectLockIsHandedOverWhenItsApplicationEnds(String resourceLock) {
        Journal first = run("a", "--cle.resource-lock=" + resourceLock);
        assertThat(first.next("granted")).isEqualTo("granted a");
        Journal second = run("b", "--cle.resource-lock=" + resourceLock);
        assertThat(second.next("leader")).isEqualTo("leader a");

        applications.get(0).close();

        assertThat(first.next("revoked")).isEqualTo("revoked STOPPED");
        assertThat(second.next("granted")).isEqualTo("granted b");
    }

    @ParameterizedTest
    @ValueSource(strings = {"auto", "crd", "native"})
    void aCandidateIsAnnouncedAndRacesWhenNobodyElects(String api) {
        server.serveNative(api.equals("native"));
        Journal journal =
                run("a", "--cle.api=" + api, "--cle.fallback.delay=0s", "--cle.candidate.binary-version=1.2.0");
        assertThat(journal.next("announced")).isEqualTo("announced");
        assertThat(journal.next("granted")).isEqualTo("granted orders-a");
        CoordinatedLeaseLock lock = applications.get(0).getBean(CoordinatedLeaseLock.class);
        assertThat(lock.snapshot().candidate().binaryVersion()).hasToString("1.2.0");
    }

    @Test
    void anApiServerThatIsAwayAtTheStartIsWaitedFor() {
        server.stop();
        Journal journal = run("a", "--cle.fallback.delay=0s");
        CoordinatedLeaseLock lock = applications.get(0).getBean(CoordinatedLeaseLock.class);
        assertThat(lock.isLeader()).isFalse();

        server.resume();

        assertThat(journal.next("granted")).isEqualTo("granted orders-a");
    }

    static final class Journal implements LeadershipListener {
        private final BlockingQueue<String> events = new LinkedBlockingQueue<>();

        @Override
        public void onAnnounced() {
            events.add("announced");
        }

        @EventListener
        void on(OnGrantedLeadership granted) {
            events.add("granted " + granted.identity());
        }

        @EventListener
        void on(OnRevokedLeadership revoked) {
            events.add("revoked " + revoked.reason());
        }

        @EventListener
        void on(OnLeaderChanged changed) {
            events.add("leader " + changed.holder());
        }

        /** The next event of a kind; what comes before it is skipped. */
        String next(String kind) {
            try {
                String event = events.poll(30, TimeUnit.SECONDS);
                while (event != null && !event.startsWith(kind)) {
                    event = events.poll(30, TimeUnit.SECONDS);
                }
                assertThat(event).as("an event '%s' in time", kind).isNotNull();
                return event;
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {

        @Bean
        Journal journal() {
            return new Journal();
        }

        @Bean
        LeaseLockCustomizer announcements(Journal journal) {
            return (name, lock) -> lock.addListener(journal);
        }
    }
}
