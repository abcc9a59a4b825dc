package io.cle.spring.onleader.internal.work;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;

import io.cle.spring.onleader.internal.bean.LedResults;
import io.cle.spring.onleader.internal.term.GrantedCall;
import io.cle.spring.onleader.internal.term.LeaderRun;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.core.CoroutinesUtils;
import org.springframework.core.KotlinDetector;
import org.springframework.util.ReflectionUtils;

/**
 * A bean's method that runs while this process leads, including what it returns: a future is awaited, a publisher is subscribed.
 * The bean is looked up for each run, with its proxies.
 */
record LeaderMethod(BeanFactory beans, String bean, Method method) implements LeaderTask.Body {

    @Override
    public void run(LeaderRun run) throws Exception {
        Object target = beans.getBean(bean);
        Method invocable = AopUtils.selectInvocableMethod(method, target.getClass());
        ReflectionUtils.makeAccessible(invocable);
        // Around the subscription, too: a suspend method is called by it.
        Future<?> future = GrantedCall.of(
                method, () -> LedResults.toFuture(method.getReturnType(), invoke(invocable, target, run)));
        if (future != null) {
            await(future);
        }
    }

    private static @Nullable Object invoke(Method method, Object target, LeaderRun run) throws Exception {
        if (KotlinDetector.isSuspendingFunction(method)) {
            // A publisher: the method is called when it is subscribed to, and cancelled with the subscription.
            return CoroutinesUtils.invokeSuspendingFunction(
                    method, target, arguments(method.getParameterCount() - 1, run));
        }
        try {
            return method.invoke(target, arguments(method.getParameterCount(), run));
        } catch (InvocationTargetException e) {
            throw asException(e.getCause() == null ? e : e.getCause());
        }
    }

    private static Object[] arguments(int count, LeaderRun run) {
        Object[] arguments = new Object[count];
        Arrays.fill(arguments, run.term());
        return arguments;
    }

    private static void await(Future<?> future) throws Exception {
        try {
            future.get();
        } catch (InterruptedException e) {
            future.cancel(true);
            throw e;
        } catch (ExecutionException e) {
            throw asException(e.getCause() == null ? e : e.getCause());
        }
    }

    private static Exception asException(Throwable failure) {
        if (failure instanceof Error error) {
            throw error;
        }
        return failure instanceof Exception exception ? exception : new IllegalStateException(failure);
    }
}
