package io.cle.spring.test;

import org.springframework.test.context.TestContext;
import org.springframework.test.context.support.AbstractTestExecutionListener;

/** Revokes granted leadership at the end of each test method, so that tests can share a context. */
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
