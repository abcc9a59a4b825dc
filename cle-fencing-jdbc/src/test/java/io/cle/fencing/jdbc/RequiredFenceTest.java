package io.cle.fencing.jdbc;

import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

class RequiredFenceTest {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(CleFencingJdbcAutoConfiguration.class));

    @Test
    void fence_isNotRequiredByDefault() {
        runner.run(context ->
                assertThat(context.getBean(LeaderFences.class).required()).isFalse());
    }

    @Test
    void fence_isRequiredByTheProperty() {
        runner.withPropertyValues("cle.fencing.jdbc.required=true")
                .run(context -> assertThat(context.getBean(LeaderFences.class).required())
                        .isTrue());
    }

    @Test
    void valueThatIsNoBoolean_failsTheStart() {
        runner.withPropertyValues("cle.fencing.jdbc.required=always")
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasStackTraceContaining("Failed to bind properties under 'cle.fencing.jdbc.required'"));
    }
}
