package io.cle.spring.onleader.internal.bean;

import java.lang.reflect.Method;
import java.util.Iterator;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import java.util.stream.BaseStream;

import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.core.KotlinDetector;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.util.ClassUtils;
import reactor.core.publisher.Flux;

/**
 * What led methods return, if the work goes on after the method has returned: futures, publishers, Kotlin's {@code suspend} functions.
 */
public final class LedResults {

    /** Types whose work only begins when a caller asks for it, which no caller of led work does. */
    private static final Class<?>[] LAZY = {
        Runnable.class, Callable.class, Supplier.class, BaseStream.class, Iterator.class
    };

    private static final String PUBLISHER = "org.reactivestreams.Publisher";

    private static final boolean REACTOR =
            ClassUtils.isPresent("reactor.core.publisher.Flux", LedResults.class.getClassLoader());

    private LedResults() {}

    /** Whether the work goes on until a future of this type is complete. */
    public static boolean isFuture(Class<?> type) {
        return Future.class.isAssignableFrom(type) || CompletionStage.class.isAssignableFrom(type);
    }

    /** Whether a method's work is done by subscribing to what it returns, as with Kotlin's {@code suspend} methods. */
    public static boolean isReactive(Method method) {
        Class<?> type = method.getReturnType();
        return KotlinDetector.isSuspendingFunction(method)
                || (!isFuture(type)
                        && (ReactiveAdapterRegistry.getSharedInstance().getAdapter(type) != null || isPublisher(type)));
    }

    private static boolean isPublisher(Class<?> type) {
        return Flow.Publisher.class.isAssignableFrom(type)
                || type.getName().equals(PUBLISHER)
                || ClassUtils.getAllInterfacesForClassAsSet(type).stream()
                        .anyMatch(implemented -> implemented.getName().equals(PUBLISHER));
    }

    /** Whether the work of a method with this return type would never be done, because no caller asks the result for it. */
    static boolean isNeverRun(Class<?> type) {
        if (isFuture(type)) {
            return false;
        }
        for (Class<?> lazy : LAZY) {
            if (lazy.isAssignableFrom(type)) {
                return true;
            }
        }
        return false;
    }

    /** Whether everything is on the class path that it takes to call a {@code suspend} method. */
    static boolean canCallSuspending() {
        ClassLoader loader = LedResults.class.getClassLoader();
        return ClassUtils.isPresent("kotlinx.coroutines.reactor.MonoKt", loader)
                && ClassUtils.isPresent("kotlin.reflect.full.KCallables", loader);
    }

    /** Whether a reactive type can be subscribed to. */
    static boolean canSubscribe(Class<?> type) {
        return REACTOR
                && (type == Object.class
                        || ReactiveAdapterRegistry.getSharedInstance().getAdapter(type) != null);
    }

    /**
     * The rest of the work that a method has returned; a publisher is subscribed to by this.
     *
     * @param type the method's return type
     * @return completes when the work has ended, and cancels it when it is cancelled; {@code null} if it ended with the method
     */
    public static @Nullable Future<?> toFuture(Class<?> type, @Nullable Object result) {
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
}
