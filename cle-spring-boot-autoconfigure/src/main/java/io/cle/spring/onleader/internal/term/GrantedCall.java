package io.cle.spring.onleader.internal.term;

import java.lang.reflect.Method;
import java.util.concurrent.Callable;

import org.jspecify.annotations.Nullable;

/**
 * The one call by which a grant runs a method. The method's guard tells it by this from the call of another bean, which would run the
 * work beside that run, or on a replica that doesn't lead.
 */
public final class GrantedCall {

    private static final ThreadLocal<@Nullable Method> EXPECTED = new ThreadLocal<>();

    private GrantedCall() {}

    /** Runs what calls the method once on the calling thread. */
    public static <T extends @Nullable Object> T of(Method method, Callable<T> call) throws Exception {
        EXPECTED.set(method);
        try {
            return call.call();
        } finally {
            EXPECTED.remove();
        }
    }

    /** Whether the call that has reached the guard is that one. Once it has, no further call on this thread is. */
    public static boolean arrives(Method method) {
        boolean expected = method.equals(EXPECTED.get());
        if (expected) {
            EXPECTED.remove();
        }
        return expected;
    }
}
