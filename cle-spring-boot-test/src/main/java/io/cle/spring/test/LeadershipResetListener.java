package io.cle.spring.test;

import org.springframework.test.context.TestContext;
import org.springframework.test.context.support.AbstractTestExecutionListener;

/** Revokes at the end of each test method what the test has granted, so that tests can share a context. */
final class LeadershipResetListener extends AbstractTestExecutionListener {

    @Override
    public void afterTestMethod(TestContext testContext) {
        if (testContext.hasApplicationContext()) {
            testContext
                    .getApplicationContext()
                    .getBeanProvider(Leadership.class)
                    .ifAvailable(Leadership::reset);
        }
    }
}
