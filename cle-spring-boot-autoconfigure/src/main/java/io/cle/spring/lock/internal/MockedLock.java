package io.cle.spring.lock.internal;

import io.cle.CoordinatedLeaseLock;
import org.aopalliance.intercept.MethodInterceptor;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.support.AopUtils;

/**
 * A lock that an application's test has replaced by a mock ({@code @MockitoBean}), completed by answers where the mock returns
 * {@code null}: its lifecycle, endpoint and health must not fail for what the test has no reason to stub.
 */
public final class MockedLock {

    private MockedLock() {}

    /**
     * The lock itself, or its completion if it doesn't even know its name.
     *
     * @param answers answers in place of the mock
     */
    public static CoordinatedLeaseLock withAnswers(CoordinatedLeaseLock lock, CoordinatedLeaseLock answers) {
        @Nullable String name = lock.name();
        return name == null ? completed(lock, answers) : lock;
    }

    private static CoordinatedLeaseLock completed(CoordinatedLeaseLock mock, CoordinatedLeaseLock answers) {
        return ProxyFactory.getProxy(CoordinatedLeaseLock.class, (MethodInterceptor) call -> {
            Object answer = AopUtils.invokeJoinpointUsingReflection(mock, call.getMethod(), call.getArguments());
            return answer == null
                    ? AopUtils.invokeJoinpointUsingReflection(answers, call.getMethod(), call.getArguments())
                    : answer;
        });
    }
}
