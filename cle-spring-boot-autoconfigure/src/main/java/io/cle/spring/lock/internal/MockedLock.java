package io.cle.spring.lock.internal;

import java.util.function.Supplier;

import io.cle.CoordinatedLeaseLock;
import io.cle.lock.internal.LockThreads;
import io.cle.spring.properties.internal.LeaseSettings;
import org.aopalliance.intercept.MethodInterceptor;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.support.AopUtils;

/**
 * Supports tests that replace the lock by a mock ({@code @MockitoBean}). Calls for which the mock returns {@code null}
 * are answered by a lock that never leads, so lifecycle, endpoint and health work without stubs.
 */
public final class MockedLock {

    private MockedLock() {}

    /**
     * Returns the lock itself or, if it is a mock that returns no name, a proxy that completes its answers.
     *
     * @param answers supplies the lock that answers in place of the mock
     */
    public static CoordinatedLeaseLock withAnswers(CoordinatedLeaseLock lock, Supplier<CoordinatedLeaseLock> answers) {
        @Nullable String name = lock.name();
        return name == null ? completed(lock, answers.get()) : lock;
    }

    /**
     * Returns a lock that never leads, for the further leases of a test that has replaced the default lease's lock. It is behind a proxy,
     * because an {@link io.cle.OwnedLock} would be started with the application.
     */
    public static CoordinatedLeaseLock neverStarted(LeaseSettings settings, LockThreads threads) {
        CoordinatedLeaseLock lock = new StandaloneLeaseLockFactory(threads).create(settings);
        return ProxyFactory.getProxy(CoordinatedLeaseLock.class, (MethodInterceptor)
                call -> AopUtils.invokeJoinpointUsingReflection(lock, call.getMethod(), call.getArguments()));
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
