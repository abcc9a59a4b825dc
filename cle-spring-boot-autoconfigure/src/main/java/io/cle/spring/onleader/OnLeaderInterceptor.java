package io.cle.spring.onleader;

import java.lang.reflect.Array;
import java.lang.reflect.Method;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.support.AopUtils;
import org.springframework.util.ClassUtils;

/** Lets calls of guarded methods through while this process leads, and has the end of each waited for before it is handed over. */
final class OnLeaderInterceptor implements MethodInterceptor {

    private static final Logger log = LoggerFactory.getLogger(OnLeaderInterceptor.class);

    private final OnLeaderBean bean;
    private final Class<?> type;
    private final Supplier<LeaderWork> work;

    OnLeaderInterceptor(OnLeaderBean bean, Class<?> type, Supplier<LeaderWork> work) {
        this.bean = bean;
        this.type = type;
        this.work = work;
    }

    /** Whether calls of a method concern it. */
    boolean concerns(Method method) {
        return bean.guards().containsKey(AopUtils.getMostSpecificMethod(method, type))
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
        OnLeaderTarget guarded = bean.guards().get(method);
        if (guarded != null) {
            return invokeGuarded(invocation, method, guarded);
        }
        if (isAutoStartup(method)) {
            return false;
        }
        OnLeaderTarget lifecycle = bean.lifecycle().orElseThrow();
        LeaseWork lease = work.get().under(lifecycle, "bean '" + bean.name() + "'");
        if (lease == null || !lease.isLeader()) {
            log.debug("bean '{}' isn't started, as this process doesn't lead", bean.name());
            return null;
        }
        return invocation.proceed();
    }

    private @Nullable Object invokeGuarded(MethodInvocation invocation, Method method, OnLeaderTarget target)
            throws Throwable {
        String name = bean.name() + "." + method.getName();
        LeaseWork lease = work.get().under(target, OnLeaderBean.place(bean.name(), method));
        LeaseWork.Running running = lease == null ? null : lease.enter(name);
        if (lease == null || running == null) {
            log.debug("{} isn't run, as this process doesn't lead", name);
            return nothing(method.getReturnType());
        }
        boolean goesOn = false;
        try {
            Object result = invocation.proceed();
            if (result instanceof CompletionStage<?> stage) {
                goesOn = true;
                stage.whenComplete((value, failure) -> lease.leave(running));
            }
            return result;
        } finally {
            if (!goesOn) {
                lease.leave(running);
            }
        }
    }

    private static @Nullable Object nothing(Class<?> type) {
        if (type == boolean.class) {
            return false;
        }
        if (type == char.class) {
            return '\0';
        }
        if (type.isPrimitive() && type != void.class) {
            // A proxy converts no numbers: the box has to be of the very type.
            return Array.get(Array.newInstance(type, 1), 0);
        }
        if (type == Optional.class) {
            return Optional.empty();
        }
        return ClassUtils.isAssignable(type, CompletableFuture.class) && CompletionStage.class.isAssignableFrom(type)
                ? CompletableFuture.completedFuture(null)
                : null;
    }
}
