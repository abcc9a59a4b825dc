package io.cle.spring.onleader.internal.guard;

import java.lang.reflect.Method;
import java.util.function.Supplier;

import io.cle.spring.onleader.OnLeaderUsageException;
import io.cle.spring.onleader.internal.bean.LedResults;
import io.cle.spring.onleader.internal.bean.OnLeaderBean;
import io.cle.spring.onleader.internal.bean.OnLeaderTarget;
import io.cle.spring.onleader.internal.term.GrantedCall;
import io.cle.spring.onleader.internal.work.LeaderWork;
import io.cle.spring.onleader.internal.work.LeaseWork;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.support.AopUtils;

/**
 * Lets calls of guarded methods through while this process leads, has each of them stopped when its term ends and waited for before
 * the lease is handed over. Of methods that run while this process leads it lets through the call by which they do, and no other.
 */
record OnLeaderInterceptor(OnLeaderBean bean, Class<?> type, Supplier<LeaderWork> work) implements MethodInterceptor {

    private static final Logger log = LoggerFactory.getLogger(OnLeaderInterceptor.class);

    /** Whether it has to see calls of a method. */
    boolean concerns(Method method) {
        Method specific = AopUtils.getMostSpecificMethod(method, type);
        return bean.guards().containsKey(specific)
                || bean.work().containsKey(specific)
                || (bean.lifecycle().isPresent() && (isStart(method) || isAutoStartup(method)));
    }

    private static boolean isStart(Method method) {
        return method.getName().equals("start") && method.getParameterCount() == 0;
    }

    private static boolean isAutoStartup(Method method) {
        return method.getName().equals("isAutoStartup") && method.getParameterCount() == 0;
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        Method method = AopUtils.getMostSpecificMethod(invocation.getMethod(), type);
        if (bean.work().containsKey(method)) {
            if (!GrantedCall.arrives(method)) {
                throw new OnLeaderUsageException(
                        OnLeaderBean.place(bean.name(), method),
                        "was called by other code. It runs by itself while this process leads; the call would run it beside"
                                + " that, or on a replica that doesn't lead. Move what both need to a method without @OnLeader,"
                                + " or give the method a trigger, such as @EventListener, so that @OnLeader guards it",
                        "Let the caller, which the stack trace shows, call another method.");
            }
            return invocation.proceed();
        }
        OnLeaderBean.Guard guarded = bean.guards().get(method);
        if (guarded != null) {
            return LedResults.isReactive(method)
                    ? ReactiveRuns.guarded(method, () -> call(invocation, method, guarded))
                    : call(invocation, method, guarded).call();
        }
        if (isAutoStartup(method)) {
            return false;
        }
        OnLeaderTarget lifecycle = bean.lifecycle().orElseThrow();
        LeaseWork lease = work.get().under(lifecycle, "bean '" + bean.name() + "'");
        if (lease == null || !lease.isLeader()) {
            log.debug("bean '{}' isn't started, because this process doesn't lead", bean.name());
            return null;
        }
        return invocation.proceed();
    }

    private GuardedCall call(MethodInvocation invocation, Method method, OnLeaderBean.Guard guard) {
        LeaseWork lease = work.get().under(guard.target(), OnLeaderBean.place(bean.name(), method));
        return new GuardedCall(invocation, method, guard, lease, OnLeaderBean.workName(bean.name(), method));
    }
}
