package io.cle.samples.candidate;

import io.cle.CoordinatedLeaseLock;
import io.cle.spring.test.AutoConfigureLeadership;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.test.context.TestContextManager;
import org.springframework.test.context.bean.override.mockito.MockitoSpyBean;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Tests of an application that spy on the lock: the spy is a copy of the lock, so the original would lead. */
class SpiedLockTests {

    @ParameterizedTest
    @ValueSource(classes = {Standalone.class, Granted.class})
    void aSpyOfTheLockFailsTheStartAndSaysWhatToDo(Class<?> test) throws ReflectiveOperationException {
        Object instance = test.getDeclaredConstructor().newInstance();
        TestContextManager tests = new TestContextManager(test);

        assertThatThrownBy(() -> tests.prepareTestInstance(instance))
                .hasStackTraceContaining(
                        "lease default/candidate: the lock was copied, as @MockitoSpyBean does, and the copy would never lead")
                .hasStackTraceContaining("replace the lock by a mock (@MockitoBean)");
    }

    @SpringBootTest
    @MockitoSpyBean(types = CoordinatedLeaseLock.class)
    static class Standalone {}

    @SpringBootTest
    @AutoConfigureLeadership
    @MockitoSpyBean(types = CoordinatedLeaseLock.class)
    static class Granted {}
}
