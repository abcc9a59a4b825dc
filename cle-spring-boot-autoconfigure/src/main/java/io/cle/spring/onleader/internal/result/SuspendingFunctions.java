package io.cle.spring.onleader.internal.result;

import java.lang.reflect.Method;

import org.springframework.core.CoroutinesUtils;
import org.springframework.util.ClassUtils;

/** Kotlin's {@code suspend} methods. Loaded only if there is one. */
public final class SuspendingFunctions {

    private SuspendingFunctions() {}

    /** Whether everything is on the class path that it takes to call one. */
    public static boolean canBeInvoked() {
        ClassLoader loader = SuspendingFunctions.class.getClassLoader();
        return ClassUtils.isPresent("kotlinx.coroutines.reactor.MonoKt", loader)
                && ClassUtils.isPresent("kotlin.reflect.full.KCallables", loader);
    }

    /**
     * Calls a method as a coroutine.
     *
     * @param arguments without the continuation
     * @return a publisher; the method is called when it is subscribed to, and cancelled with the subscription
     */
    public static Object invoke(Method method, Object target, Object[] arguments) {
        return CoroutinesUtils.invokeSuspendingFunction(method, target, arguments);
    }
}
