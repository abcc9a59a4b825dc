package io.cle.spring;

import java.util.Map;

import io.cle.LockSnapshot;
import io.cle.spring.actuate.internal.LeaderElectionEndpoint;
import io.cle.spring.actuate.internal.LeaseDescriptor;
import io.cle.spring.kubernetes.internal.MarkedPod;
import io.cle.spring.lock.internal.WorkLog;
import io.cle.spring.migration.internal.MigrationProperties;
import io.cle.spring.onleader.OnLeader;
import io.cle.spring.onleader.internal.OnLeaderProperties;
import io.cle.spring.properties.internal.CleProperties;
import io.cle.spring.properties.internal.LeaseProperties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.aot.test.generate.TestGenerationContext;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.core.env.MapPropertySource;

import static org.assertj.core.api.Assertions.assertThat;

/** The reflection hints of a processed application: led methods, properties, and the endpoint's responses. */
class RuntimeHintsTests {

    private final RuntimeHints hints = hints();

    private static RuntimeHints hints() {
        TestGenerationContext generated = new TestGenerationContext();
        try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
            context.getEnvironment()
                    .getPropertySources()
                    .addFirst(new MapPropertySource(
                            "test",
                            Map.of(
                                    "spring.application.name", "orders",
                                    "management.endpoints.web.exposure.include", "leaderelection")));
            context.register(AheadOfTimeTests.Application.class, Worker.class, Bystander.class);
            new ApplicationContextAotGenerator().processAheadOfTime(context, generated);
        }
        return generated.getRuntimeHints();
    }

    static class Worker {

        @OnLeader
        void work() {}
    }

    static class Bystander {

        void idle() {}
    }

    @Test
    void ledMethodsCanBeCalled() {
        assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(Worker.class, "work"))
                .accepts(hints);
    }

    @Test
    void methodsOfBeansThatAreNotLedGetNoHint() {
        assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(Bystander.class, "idle"))
                .rejects(hints);
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                CleProperties.class,
                CleProperties.Kubernetes.class,
                LeaseProperties.class,
                LeaseProperties.Candidate.class,
                LeaseProperties.Fallback.class,
                OnLeaderProperties.class,
                MigrationProperties.class
            })
    void propertiesCanBeBound(Class<?> properties) {
        assertThat(RuntimeHintsPredicates.reflection()
                        .onConstructorInvocation(properties.getDeclaredConstructors()[0]))
                .accepts(hints);
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                LeaderElectionEndpoint.LeasesDescriptor.class,
                MarkedPod.Status.class,
                LeaseDescriptor.class,
                LeaseDescriptor.CandidateDescriptor.class,
                LeaseDescriptor.TimingDescriptor.class,
                LockSnapshot.Contact.class,
                LockSnapshot.HistoryEntry.class,
                WorkLog.Status.class,
            })
    void answersOfTheEndpointCanBeWrittenAsJson(Class<?> answer) {
        assertThat(answer.getRecordComponents())
                .allSatisfy(component -> assertThat(
                                RuntimeHintsPredicates.reflection().onMethodInvocation(component.getAccessor()))
                        .accepts(hints));
    }

    @ParameterizedTest
    @ValueSource(strings = {"leases", "lease", "resign", "resignFor"})
    void operationsOfTheEndpointCanBeCalled(String operation) {
        assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(LeaderElectionEndpoint.class, operation))
                .accepts(hints);
    }
}
