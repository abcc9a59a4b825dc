package io.cle.spring.lock.internal;

import io.cle.spring.autoconfigure.CleAutoConfiguration;
import io.cle.spring.autoconfigure.CleKubernetesAutoConfiguration;
import io.cle.spring.lock.LeaseLocks;
import io.cle.spring.properties.Requirement;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.availability.ApplicationAvailabilityAutoConfiguration;
import org.springframework.boot.availability.ApplicationAvailability;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.LivenessState;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ContextConsumer;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.GenericApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

class CandidateAvailabilityTests {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    ApplicationAvailabilityAutoConfiguration.class,
                    CleAutoConfiguration.class,
                    CleKubernetesAutoConfiguration.class))
            .withPropertyValues(
                    "spring.application.name=orders",
                    "cle.namespace=shop",
                    "cle.kubernetes.base-url=http://127.0.0.1:1",
                    "cle.leases.reports.candidate.requires=liveness",
                    "cle.leases.mail.candidate.requires=none",
                    "cle.leases.post.candidate.enabled=false");

    private void run(ContextConsumer<AssertableApplicationContext> test) {
        runner.run(context -> {
            CandidateAvailability availability = context.getBean(CandidateAvailability.class);
            context.getBean(LeaseLocks.class).asMap().forEach(availability::customize);
            test.accept(context);
        });
    }

    private static @Nullable String problem(AssertableApplicationContext context, Requirement requirement) {
        return context.getBean(CandidateAvailability.class).problem(requirement);
    }

    @Test
    void aStateThatWasNeverPublishedIsGood() {
        run(context -> assertThat(problem(context, Requirement.READINESS)).isNull());
    }

    @Test
    void refusedTrafficConcernsThoseThatRequireReadiness() {
        run(context -> {
            AvailabilityChangeEvent.publish(context, ReadinessState.REFUSING_TRAFFIC);

            assertThat(problem(context, Requirement.READINESS)).isEqualTo("readiness is REFUSING_TRAFFIC");
            assertThat(problem(context, Requirement.LIVENESS)).isNull();
            assertThat(problem(context, Requirement.NONE)).isNull();

            AvailabilityChangeEvent.publish(context, ReadinessState.ACCEPTING_TRAFFIC);
            assertThat(problem(context, Requirement.READINESS)).isNull();
        });
    }

    @Test
    void trafficThatAChildContextRefusesConcernsNoneOfTheApplication() {
        try (ConfigurableApplicationContext context = application()) {
            GenericApplicationContext child = new GenericApplicationContext();
            child.setParent(context);
            child.refresh();
            AvailabilityChangeEvent.publish(child, ReadinessState.REFUSING_TRAFFIC);

            assertThat(problem(context)).isNull();
            assertThat(problemSeenBy(later(context))).isNull();

            AvailabilityChangeEvent.publish(context, ReadinessState.REFUSING_TRAFFIC);
            assertThat(problem(context)).isEqualTo("readiness is REFUSING_TRAFFIC");
        }
    }

    @Test
    void aStateThatIsPublishedWithItsCauseConcernsTheApplication() {
        try (ConfigurableApplicationContext context = application()) {
            AvailabilityChangeEvent.publish(context, new IllegalStateException("broken cache"), LivenessState.BROKEN);

            assertThat(problem(context)).isEqualTo("liveness is BROKEN");
        }
    }

    private static ConfigurableApplicationContext application() {
        return new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .bannerMode(Banner.Mode.OFF)
                .run(
                        "--spring.application.name=orders",
                        "--cle.namespace=shop",
                        "--cle.kubernetes.base-url=http://127.0.0.1:1");
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}

    private static CandidateAvailability later(ApplicationContext context) {
        return new CandidateAvailability(
                context, context.getBean(Leases.class), context.getBean(ApplicationAvailability.class));
    }

    private static String problem(ApplicationContext context) {
        return problemSeenBy(context.getBean(CandidateAvailability.class));
    }

    private static String problemSeenBy(CandidateAvailability availability) {
        return availability.problem(Requirement.READINESS);
    }

    @Test
    void brokenLivenessConcernsAllButThoseThatRequireNothing() {
        run(context -> {
            AvailabilityChangeEvent.publish(context, LivenessState.BROKEN);

            assertThat(problem(context, Requirement.READINESS)).isEqualTo("liveness is BROKEN");
            assertThat(problem(context, Requirement.LIVENESS)).isEqualTo("liveness is BROKEN");
            assertThat(problem(context, Requirement.NONE)).isNull();
        });
    }

    @Test
    void theStateFromBeforeTheLocksWereMadeCounts() {
        runner.run(context -> {
            AvailabilityChangeEvent.publish(context, ReadinessState.REFUSING_TRAFFIC);
            CandidateAvailability later = later(context);
            context.getBean(LeaseLocks.class).asMap().forEach(later::customize);

            assertThat(later.problem(Requirement.READINESS)).isEqualTo("readiness is REFUSING_TRAFFIC");
        });
    }
}
