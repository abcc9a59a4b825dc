package io.cle.test.contract;

import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.opentest4j.TestAbortedException;

import static org.assertj.core.api.Assertions.assertThat;

/** Its tests fail on purpose; an extension catches the failures before the build sees them. */
class PathInFailuresTest {

    @RegisterExtension
    private final Caught caught = new Caught();

    @Nested
    @ExtendWith(PathInFailures.class)
    class OfANestedClass {

        private String expected = "";

        @Test
        void pathInFailuresOfANestedClassAreTheNamesFromTheOutermostClassOn() {
            expected =
                    "PathInFailuresTest › OfANestedClass › pathInFailuresOfANestedClassAreTheNamesFromTheOutermostClassOn(): why";
            throw new IllegalStateException("why");
        }

        @Test
        void pathInFailuresOfANestedClassAreNotAddedToAnAssumption() {
            expected = "not on this machine";
            throw new TestAbortedException("not on this machine");
        }

        @AfterEach
        void check() {
            assertThat(caught.failures).extracting(Throwable::getMessage).containsExactly(expected);
        }
    }

    /** Catches the failures that the build would see. */
    private static final class Caught implements TestExecutionExceptionHandler {
        private final List<Throwable> failures = new ArrayList<>();

        @Override
        public void handleTestExecutionException(ExtensionContext test, Throwable failure) {
            failures.add(failure);
        }
    }
}
