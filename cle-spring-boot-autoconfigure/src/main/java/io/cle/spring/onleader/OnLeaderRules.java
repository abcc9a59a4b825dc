package io.cle.spring.onleader;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;

import io.cle.lock.Term;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.scheduling.annotation.Async;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/** Refuses {@link OnLeader} where it couldn't do what it promises, before anything runs. */
final class OnLeaderRules {

    private static final String PUBLISHER = "org.reactivestreams.Publisher";

    private OnLeaderRules() {}

    static void check(OnLeaderBean bean, Class<?> type, boolean onBean) {
        bean.work().keySet().forEach(method -> checkWork(bean, method));
        bean.guards().keySet().forEach(method -> checkGuard(bean, type, method));
        if (bean.lifecycle().isPresent()) {
            checkLifecycle(bean, type);
        } else if (onBean && bean.work().isEmpty() && bean.guards().isEmpty()) {
            throw new OnLeaderUsageException(
                    "bean '" + bean.name() + "' (" + type.getName() + ")",
                    "has no effect: it is no SmartLifecycle, and none of its methods is @Scheduled or an @EventListener",
                    "Annotate the method that only the leader is to run, or remove the annotation.");
        }
    }

    private static void checkWork(OnLeaderBean bean, Method method) {
        String place = OnLeaderBean.place(bean.name(), method);
        if (Modifier.isStatic(method.getModifiers()) || Modifier.isPrivate(method.getModifiers())) {
            throw new OnLeaderUsageException(
                    place, "can't be called: it is " + Modifier.toString(method.getModifiers()), "Make it public.");
        }
        Class<?>[] parameters = method.getParameterTypes();
        if (parameters.length > 1 || (parameters.length == 1 && parameters[0] != Term.class)) {
            throw new OnLeaderUsageException(
                    place,
                    "can't be run when leadership is granted: it has parameters that nobody supplies",
                    "Let it have no parameters, or one of type " + Term.class.getName()
                            + ". Of triggered methods only @Scheduled and @EventListener ones can be guarded; what"
                            + " another framework calls with arguments would be lost on those that don't lead.");
        }
        if (AnnotatedElementUtils.hasAnnotation(method, Async.class)
                || AnnotatedElementUtils.hasAnnotation(method.getDeclaringClass(), Async.class)) {
            throw new OnLeaderUsageException(
                    place,
                    "can't be interrupted when leadership is revoked, as @Async moves it to another thread",
                    "Remove @Async: it runs on a thread of its own anyway.");
        }
    }

    private static void checkGuard(OnLeaderBean bean, Class<?> type, Method method) {
        String place = OnLeaderBean.place(bean.name(), method);
        int modifiers = method.getModifiers();
        if (Modifier.isFinal(type.getModifiers())) {
            throw new OnLeaderUsageException(
                    place,
                    "can't be guarded: the guard is a proxy, and the class " + type.getName() + " is final",
                    "Make the class non-final (in Kotlin: open).");
        }
        if (Modifier.isPrivate(modifiers) || Modifier.isFinal(modifiers) || Modifier.isStatic(modifiers)) {
            throw new OnLeaderUsageException(
                    place,
                    "can't be guarded: the guard is a proxy, and the method is " + Modifier.toString(modifiers),
                    "Make it neither private nor final nor static.");
        }
        boolean reactive = method.getReturnType().getName().equals(PUBLISHER)
                || ClassUtils.getAllInterfacesForClassAsSet(method.getReturnType()).stream()
                        .anyMatch(type0 -> type0.getName().equals(PUBLISHER));
        if (reactive) {
            throw new OnLeaderUsageException(
                    place,
                    "can't be guarded: it returns a publisher, and is over before its work has begun",
                    "Return nothing and do the work within the method, or check CoordinatedLeaseLock.isLeader() in the"
                            + " publisher.");
        }
    }

    private static void checkLifecycle(OnLeaderBean bean, Class<?> type) {
        if (!canBeProxied(type) && !hasAutoStartupSetter(type)) {
            throw new OnLeaderUsageException(
                    "bean '" + bean.name() + "' (" + type.getName() + ")",
                    "can't keep the context from starting it: it or its start() or isAutoStartup() is final, and it has"
                            + " no setAutoStartup(boolean)",
                    "Make them non-final.");
        }
    }

    /** Whether a proxy sees the calls that start a bean. */
    static boolean canBeProxied(Class<?> type) {
        return !Modifier.isFinal(type.getModifiers()) && !isFinal(type, "start") && !isFinal(type, "isAutoStartup");
    }

    static boolean hasAutoStartupSetter(Class<?> type) {
        return ReflectionUtils.findMethod(type, "setAutoStartup", boolean.class) != null;
    }

    private static boolean isFinal(Class<?> type, String methodName) {
        Method method = ReflectionUtils.findMethod(type, methodName);
        return method != null && Modifier.isFinal(method.getModifiers());
    }
}
