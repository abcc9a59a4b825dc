package io.cle.spring.onleader.internal;

import java.lang.reflect.Array;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.function.Supplier;

import io.cle.Term;
import io.cle.spring.lock.internal.WorkLog;
import io.cle.spring.onleader.OnLeaderUsageException;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.support.AopUtils;
import org.springframework.util.ClassUtils;

/**
 * Guards the methods of a bean. A call of a guarded method proceeds while this process leads, is stopped when the term
 * ends, and delays the hand-over of the lease until it has returned. If the lease has shards, the call proceeds once
 * for each shard that this process leads. A method that runs by itself while this process leads accepts no other call.
 * Only threads that serve nothing but the call are interrupted.
 */
record OnLeaderInterceptor(OnLeaderBean bean, Class<?> type, Supplier<LeaderWork> work) implements MethodInterceptor {

    private static final Logger log = LoggerFactory.getLogger(OnLeaderInterceptor.class);

    /** The method that a grant of leadership runs on this thread, while the method itself isn't running. */
    private static final ThreadLocal<@Nullable Method> GRANTED = new ThreadLocal<>();

    /**
     * Calls a method on the calling thread because leadership was granted. This lets the interceptor distinguish the call from that of
     * another bean, which would run the work twice at once, or on a replica that doesn't lead. Advice outside of the guard may call the
     * method again, as a retry does.
     */
    static <T extends @Nullable Object> T granted(Method method, Callable<T> call) throws Exception {
        GRANTED.set(method);
        try {
            return call.call();
        } finally {
            GRANTED.remove();
        }
    }

    /** Runs an attempt of a granted call. The method can't call itself under the same grant. */
    private static @Nullable Object attempt(MethodInvocation invocation, Method granted) throws Throwable {
        GRANTED.remove();
        try {
            return invocation.proceed();
        } finally {
            GRANTED.set(granted);
        }
    }

    /** Returns whether calls of a method have to be intercepted. */
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
        if (method.equals(GRANTED.get())) {
            return attempt(invocation, method);
        }
        if (bean.work().containsKey(method)) {
            throw new OnLeaderUsageException(
                    OnLeaderBean.place(bean.name(), method),
                    "was called by other code. It runs by itself while this process leads; the call would run it beside"
                            + " that, or on a replica that doesn't lead. Move what both need to a method without @OnLeader,"
                            + " or give the method a trigger, such as @EventListener, so that @OnLeader guards it",
                    "Let the caller, which the stack trace shows, call another method.");
        }
        OnLeaderBean.Guard guard = bean.guards().get(method);
        if (guard != null) {
            return guarded(invocation, method, guard);
        }
        if (isAutoStartup(method)) {
            return false;
        }
        OnLeaderBean.Target lifecycle = bean.lifecycle().orElseThrow();
        boolean leads = work.get().under(lifecycle, "bean '" + bean.name() + "'").stream()
                .anyMatch(leaseWork -> leaseWork.lease().lock().isLeader());
        if (!leads) {
            log.debug("Bean '{}' isn't started, because this process doesn't lead", bean.name());
            return null;
        }
        return invocation.proceed();
    }

    /**
     * Calls a guarded method if this process leads. If the lease has shards, calls it once for each shard that this
     * process leads, one after the other, even after one has failed. Throws the first failure, with the others suppressed.
     */
    private @Nullable Object guarded(MethodInvocation invocation, Method method, OnLeaderBean.Guard guard)
            throws Throwable {
        String name = OnLeaderBean.workName(bean.name(), method);
        List<LeaseWork> leases = work.get().under(guard.target(), OnLeaderBean.place(bean.name(), method));
        Object result = GuardedCall.nothing(method.getReturnType());
        Throwable failure = null;
        for (LeaseWork lease : leases) {
            MethodInvocation ofLease = ((ProxyMethodInvocation) invocation).invocableClone();
            try {
                result = new GuardedCall(ofLease, method, guard, lease, name).call();
            } catch (Throwable e) {
                if (failure == null) {
                    failure = e;
                } else if (failure != e) {
                    failure.addSuppressed(e);
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
        return result;
    }

    /**
     * One call of a guarded method.
     *
     * @param lease the work of its lease
     * @param work the bean and its method
     */
    private record GuardedCall(
            MethodInvocation invocation, Method method, OnLeaderBean.Guard guard, LeaseWork lease, String work) {

        private void ended(LeaderRun run) {
            run.status().becomes(WorkLog.State.IDLE);
        }

        /** Handles the failure of the run. An interrupt or a cancellation at the end of its term is no failure. */
        private void failed(LeaderRun run, Throwable failure) {
            if (run.isStoppedBy(failure)) {
                log.debug("{} was interrupted by the end of its term", work);
                ended(run);
            } else {
                lease.failed(run, failure, "its trigger calls it again");
            }
        }

        /** Calls the method if this process leads, and returns its result; otherwise returns an empty result. */
        @Nullable
        Object call() throws Throwable {
            LeaderRun run = lease.enter(work);
            if (run == null) {
                log.debug("{} isn't run, because this process doesn't lead", work);
                return nothing(method.getReturnType());
            }
            run.status().becomes(WorkLog.State.RUNNING);
            boolean continues = false;
            Term outer = Term.enter(run.term());
            run.enterThread(guard.interrupts());
            try {
                Object result = invocation.proceed();
                continues = continues(run, result);
                if (!continues) {
                    ended(run);
                }
                return result;
            } catch (Throwable failure) {
                failed(run, failure);
                if (guard.interrupts() && run.isStoppedBy(failure)) {
                    // The scheduler would log the ordinary end of a term as an error.
                    return nothing(method.getReturnType());
                }
                throw failure;
            } finally {
                run.leaveThread();
                Term.enter(outer);
                if (!continues) {
                    lease.leave(run);
                }
            }
        }

        /**
         * Returns whether the run continues until the future that the method has returned is complete. A plain future
         * has no completion callback, so this thread waits for it.
         */
        private boolean continues(LeaderRun run, @Nullable Object result) throws Exception {
            if (result instanceof CompletionStage<?> stage) {
                CompletableFuture<?> rest = stage.toCompletableFuture();
                if (guard.target().interrupt()) {
                    run.continuesWith(rest);
                }
                rest.whenComplete((value, failure) -> {
                    if (failure == null) {
                        ended(run);
                    } else {
                        failed(run, failure);
                    }
                    lease.leave(run);
                });
                return true;
            }
            if (result instanceof Future<?> future) {
                LeaderMethod.await(future);
            }
            return false;
        }

        /** Returns the empty result of a type, for a method that isn't run. */
        private static @Nullable Object nothing(Class<?> type) {
            if (type.isPrimitive() && type != void.class) {
                // A proxy converts no numbers, so the box must have exactly this type.
                return Array.get(Array.newInstance(type, 1), 0);
            }
            if (type == Optional.class) {
                return Optional.empty();
            }
            return LeaderMethod.isFuture(type) && ClassUtils.isAssignable(type, CompletableFuture.class)
                    ? CompletableFuture.completedFuture(null)
                    : null;
        }
    }
}
