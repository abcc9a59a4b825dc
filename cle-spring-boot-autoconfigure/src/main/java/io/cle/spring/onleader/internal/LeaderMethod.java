package io.cle.spring.onleader.internal;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;

import io.cle.Shard;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.core.CoroutinesUtils;
import org.springframework.core.KotlinDetector;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;
import reactor.core.publisher.Flux;

/**
 * Runs a bean's method while this process leads, including the rest of the work that the method returns: awaits a future, subscribes to a
 * publisher, calls a Kotlin {@code suspend} function. The bean is looked up for each run, with its proxies. The static methods also serve
 * the results of guarded methods.
 */
record LeaderMethod(BeanFactory beans, String bean, Method method) implements LeaderTask.Body {

    private static final boolean REACTOR =
            ClassUtils.isPresent("reactor.core.publisher.Flux", LeaderMethod.class.getClassLoader());

    @Override
    public void run(LeaderRun run) throws Exception {
        Object target = beans.getBean(bean);
        Method invocable = AopUtils.selectInvocableMethod(method, target.getClass());
        ReflectionUtils.makeAccessible(invocable);
        Class<?> type = method.getReturnType();
        // A suspend method is called by the subscription.
        Future<?> future = KotlinDetector.isSuspendingFunction(method)
                ? OnLeaderInterceptor.granted(method, () -> toFuture(type, invoke(invocable, target, run)))
                : toFuture(type, OnLeaderInterceptor.granted(method, () -> invoke(invocable, target, run)));
        if (future != null) {
            await(future);
        }
    }

    private static @Nullable Object invoke(Method method, Object target, LeaderRun run) throws Exception {
        if (KotlinDetector.isSuspendingFunction(method)) {
            // A publisher: the method is called when it is subscribed to, and cancelled with the subscription.
            return CoroutinesUtils.invokeSuspendingFunction(
                    method, target, arguments(method, method.getParameterCount() - 1, run));
        }
        try {
            return method.invoke(target, arguments(method, method.getParameterCount(), run));
        } catch (InvocationTargetException e) {
            throw asException(e.getCause() == null ? e : e.getCause());
        }
    }

    private static Object[] arguments(Method method, int count, LeaderRun run) {
        return Arrays.stream(method.getParameterTypes(), 0, count)
                .map(type -> type == Shard.class ? run.term().shard().orElseThrow() : run.term())
                .toArray();
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

    /**
     * Returns the rest of the work that a method has returned; a publisher is subscribed to by this.
     *
     * @param type the method's return type
     * @return completes when the work has ended, and cancels it when it is cancelled; {@code null} if it ended with the method
     */
    static @Nullable Future<?> toFuture(Class<?> type, @Nullable Object result) {
        if (result instanceof Future<?> future) {
            return future;
        }
        if (result instanceof CompletionStage<?> stage) {
            return stage.toCompletableFuture();
        }
        if (result == null || !REACTOR) {
            return null;
        }
        ReactiveAdapter adapter = ReactiveAdapterRegistry.getSharedInstance().getAdapter(type, result);
        return adapter == null ? null : Reactor.subscribe(adapter.toPublisher(result));
    }

    /** Loaded only if Reactor is on the class path. */
    private static final class Reactor {

        /** Subscribes to a publisher until it is complete, or until the future is cancelled. */
        static Future<?> subscribe(Publisher<?> publisher) {
            return Flux.from(publisher).then().toFuture();
        }
    }

    /** Returns whether the work lasts until a future of this type is complete. */
    static boolean isFuture(Class<?> type) {
        return Future.class.isAssignableFrom(type) || CompletionStage.class.isAssignableFrom(type);
    }

    /** Returns whether a method's work is done by subscribing to what it returns, as with Kotlin's {@code suspend} methods. */
    static boolean isReactive(Method method) {
        Class<?> type = method.getReturnType();
        return KotlinDetector.isSuspendingFunction(method)
                || (!isFuture(type)
                        && ReactiveAdapterRegistry.getSharedInstance().getAdapter(type) != null);
    }
}
