package io.cle.spring.onleader.internal;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.stream.Stream;

import io.cle.Shard;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.util.ReflectionUtils;

/**
 * Runs a bean's method while this process leads, and awaits the future that it returns. The bean is looked up for each run, with its proxies.
 * The static methods also serve guarded methods.
 */
record LeaderMethod(BeanFactory beans, String bean, Method method) implements LeaderTask.Body {

    @Override
    public void run(LeaderRun run) throws Exception {
        Object target = beans.getBean(bean);
        Method invocable = AopUtils.selectInvocableMethod(method, target.getClass());
        ReflectionUtils.makeAccessible(invocable);
        Object result = OnLeaderInterceptor.granted(method, () -> invoke(invocable, target, run));
        if (result instanceof Future<?> future) {
            await(future);
        } else if (result instanceof CompletionStage<?> stage) {
            await(stage.toCompletableFuture());
        }
    }

    private static @Nullable Object invoke(Method method, Object target, LeaderRun run) throws Exception {
        Object[] arguments = Stream.of(method.getParameterTypes())
                .map(type -> type == Shard.class ? run.term().shard().orElseThrow() : run.term())
                .toArray();
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw asException(e.getCause() == null ? e : e.getCause());
        }
    }

    /** Waits for the rest of the work, which is cancelled if this thread is interrupted. */
    static void await(Future<?> future) throws Exception {
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

    /** Returns whether the work lasts until a future of this type is complete. */
    static boolean isFuture(Class<?> type) {
        return Future.class.isAssignableFrom(type) || CompletionStage.class.isAssignableFrom(type);
    }
}
