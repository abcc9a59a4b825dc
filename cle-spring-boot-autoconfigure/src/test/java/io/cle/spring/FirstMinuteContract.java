package io.cle.spring;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import io.cle.CoordinatedLeaseLock;
import io.cle.LockSnapshot;
import io.cle.spring.event.OnGrantedLeadership;
import io.cle.spring.event.OnRevokedLeadership;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The first minute of a pod and its log, with the starter's defaults: in a cluster without our CRDs, and with a Role
 * without rights on candidates.
 */
@ExtendWith(OutputCaptureExtension.class)
abstract class FirstMinuteContract {

    /** Longer than the longest interval between two discoveries, or between two attempts that are refused. */
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    /** Less than the fallback's delay of 30 s. */
    private static final Duration AT_ONCE = Duration.ofSeconds(20);

    private final List<ConfigurableApplicationContext> applications = new ArrayList<>();

    /** Returns the properties that select the cluster. */
    abstract List<String> cluster();

    /** Ensures that the cluster has none of our CRDs. */
    abstract void removeDefinitions();

    /** Applies our CRDs, as an administrator does. */
    abstract void applyDefinitions();

    /** Ensures that the process has no rights on candidates. */
    abstract void denyCandidates();

    /** Grants the process the rights of the shipped roles, as an administrator does. */
    abstract void allowCandidates();

    @AfterEach
    void stop() {
        applications.forEach(ConfigurableApplicationContext::close);
    }

    private Journal run(String... arguments) {
        SpringApplication application = new SpringApplication(Application.class);
        application.setWebApplicationType(WebApplicationType.NONE);
        application.setRegisterShutdownHook(false);
        List<String> all = new ArrayList<>(List.of(
                "--spring.application.name=orders",
                "--spring.main.banner-mode=off",
                "--cle.namespace=shop",
                "--cle.identity=7f9c",
                "--cle.candidate.binary-version=1.2.0"));
        all.addAll(cluster());
        all.addAll(List.of(arguments));
        ConfigurableApplicationContext context = application.run(all.toArray(String[]::new));
        applications.add(context);
        return context.getBean(Journal.class);
    }

    private CoordinatedLeaseLock lock() {
        return applications.get(0).getBean(CoordinatedLeaseLock.class);
    }

    private void joinsWithinItsTerm(Journal journal, long token, CapturedOutput output) {
        await().atMost(PATIENCE).until(() -> lock().snapshot().candidate() != null);
        assertThat(lock().fencingToken()).hasValue(token);
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(output).contains("Lease shop/orders: joins the coordinated election"));
        // The line is logged just before the lock's state changes.
        await().untilAsserted(
                        () -> assertThat(lock().snapshot().uncoordinated()).isNull());
        assertThat(lock().snapshot().contacts().candidacy())
                .extracting(LockSnapshot.Contact::ok)
                .isEqualTo(true);
        assertThat(journal.events).isEmpty();
    }

    @Test
    void withoutOurDefinitionsItLeadsAtOnceAndJoinsWhenTheyAreApplied(CapturedOutput output) {
        removeDefinitions();
        Journal journal = run();
        assertThat(journal.next(AT_ONCE)).isEqualTo("granted orders-7f9c");
        long token = lock().fencingToken().orElseThrow();
        assertThat(lock().snapshot().observed().electedBy()).isEqualTo("candidate-fallback");
        assertThat(lock().snapshot().raced()).isTrue();
        assertThat(output.toString().lines())
                .filteredOn(line -> line.contains("races for the lease at once"))
                .singleElement()
                .asString()
                .contains(
                        "INFO",
                        "Lease shop/orders: races for the lease at once, without a coordinator, because the API server serves"
                                + " neither coordination.k8s.io LeaseCandidates nor coordination.cle.io/v1alpha1 LeaseCandidates; apply"
                                + " cle-coordinator-app/deploy/helm/files/crds/leasecandidates.yaml. It joins the coordinated election without a"
                                + " restart once candidates are served; to race for good, set cle.resource-lock=leases");

        applyDefinitions();

        joinsWithinItsTerm(journal, token, output);
    }

    @Test
    void withoutOurDefinitionsItWarnsOfWhatHasNoEffect(CapturedOutput output) {
        removeDefinitions();
        Journal journal = run("--cle.candidate.strategy=HighestPriority", "--cle.candidate.priority=7");

        assertThat(journal.next(AT_ONCE)).isEqualTo("granted orders-7f9c");
        assertThat(output.toString().lines())
                .filteredOn(line -> line.contains("races for the lease at once"))
                .singleElement()
                .asString()
                .contains("WARN", "Without effect meanwhile: the strategy HighestPriority, the priority 7.");
    }

    @Test
    void withoutRightsOnCandidatesItLeadsAtOnceAndJoinsWhenItHasThem(CapturedOutput output) {
        applyDefinitions();
        denyCandidates();
        Journal journal = run();
        assertThat(journal.next(AT_ONCE)).isEqualTo("granted orders-7f9c");
        long token = lock().fencingToken().orElseThrow();
        assertThat(output.toString().lines())
                .filteredOn(line -> line.contains("races for the lease at once"))
                .singleElement()
                .asString()
                .contains("WARN", "because this process may not ", " leasecandidates in namespace shop (")
                .containsPattern(
                        "cannot (list|create) resource \"leasecandidates\" in API group \"coordination.cle.io\"")
                .contains("It joins the coordinated election without a restart once these requests are allowed");
        await().atMost(PATIENCE)
                .untilAsserted(
                        () -> assertThat(output).contains("A right is missing: ", "the ClusterRole cle-application"));

        allowCandidates();

        joinsWithinItsTerm(journal, token, output);
    }

    static final class Journal {
        private final BlockingQueue<String> events = new LinkedBlockingQueue<>();

        @EventListener
        void on(OnGrantedLeadership granted) {
            events.add("granted " + granted.identity());
        }

        @EventListener
        void on(OnRevokedLeadership revoked) {
            events.add("revoked " + revoked.reason());
        }

        String next(Duration patience) {
            try {
                return String.valueOf(events.poll(patience.toMillis(), TimeUnit.MILLISECONDS));
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
    }
}
