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
 * A lock that an application's test has replaced by a mock ({@code @MockitoBean}), completed by answers where the mock returns
 * {@code null}: its lifecycle, endpoint and health must not fail for what the test has no reason to stub.
 */
public final class MockedLock {

    private MockedLock() {}

    /**
     * The lock itself, or its completion if it doesn't even know its name.
     *
     * @param answers supplies what answers in place of the mock
     */
    public static CoordinatedLeaseLock withAnswers(CoordinatedLeaseLock lock, Supplier<CoordinatedLeaseLock> answers) {
        @Nullable String name = lock.name();
        return name == null ? completed(lock, answers.get()) : lock;
    }

    /**
     * A lock that never leads, for the further leases of a test that has replaced the default one's lock. Behind a proxy, because whatever is an
     * {@link io.cle.OwnedLock} is started with the application.
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
