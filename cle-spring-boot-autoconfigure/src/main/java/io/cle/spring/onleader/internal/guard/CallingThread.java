package io.cle.spring.onleader.internal.guard;

import java.lang.reflect.Proxy;
import java.util.Iterator;

import org.springframework.aop.interceptor.AsyncExecutionAspectSupport;
import org.springframework.context.event.SimpleApplicationEventMulticaster;
import org.springframework.scheduling.support.ScheduledMethodRunnable;

/**
 * Whether the thread of a guarded call works for that call alone: the scheduler's, or an executor's to which {@code @Async} or an
 * asynchronous event multicaster has handed it. Any other thread is its caller's, which has more to do than this call and must not
 * be interrupted for it; a scheduled method of another bean that calls the guarded one is such a caller, and so is a request whose
 * {@code @Async} call a full executor runs on the request's own thread.
 *
 * <p>Read from the stack, because nothing else distinguishes a scheduler's call from another one: both call the same proxy.
 */
final class CallingThread {

    private static final StackWalker STACK = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

    private CallingThread() {}

    /**
     * Asked from within the guard.
     *
     * @param proxy what was called
     */
    static boolean worksForThisCallOnly(Object proxy) {
        return STACK.walk(frames -> worksForThisCallOnly(proxy.getClass(), frames.iterator()));
    }

    private static boolean worksForThisCallOnly(Class<?> proxy, Iterator<StackWalker.StackFrame> callers) {
        while (callers.hasNext()) {
            StackWalker.StackFrame frame = callers.next();
            if (isAsync(frame)) {
                return isHandedOver(frame) && !isSubmittedHere(callers);
            }
            if (frame.getDeclaringClass() == proxy) {
                return isCalledByFramework(proxy, callers);
            }
        }
        return false;
    }

    private static boolean isCalledByFramework(Class<?> proxy, Iterator<StackWalker.StackFrame> callers) {
        while (callers.hasNext()) {
            StackWalker.StackFrame frame = callers.next();
            Class<?> caller = frame.getDeclaringClass();
            if (ScheduledMethodRunnable.class.isAssignableFrom(caller)) {
                return true;
            }
            if (isAsync(frame)) {
                return isHandedOver(frame) && !isSubmittedHere(callers);
            }
            if (caller != proxy && !Proxy.isProxyClass(caller) && !isFramework(caller.getName())) {
                return false;
            }
        }
        return false;
    }

    private static boolean isFramework(String caller) {
        return caller.startsWith("org.springframework.") || caller.startsWith("java.") || caller.startsWith("jdk.");
    }

    private static boolean isAsync(StackWalker.StackFrame frame) {
        Class<?> caller = frame.getDeclaringClass();
        return AsyncExecutionAspectSupport.class.isAssignableFrom(caller)
                || (SimpleApplicationEventMulticaster.class.isAssignableFrom(caller)
                        && frame.getMethodName().contains("multicastEvent"));
    }

    /** Whether it is the task that is handed to an executor, which the compiler makes a method of its own. */
    private static boolean isHandedOver(StackWalker.StackFrame frame) {
        return frame.getMethodName().startsWith("lambda$");
    }

    /** Whether the task was handed over on this very thread, so that the executor has run it as the caller. */
    private static boolean isSubmittedHere(Iterator<StackWalker.StackFrame> callers) {
        while (callers.hasNext()) {
            StackWalker.StackFrame frame = callers.next();
            if (isAsync(frame) && !isHandedOver(frame)) {
                return true;
            }
        }
        return false;
    }
}
