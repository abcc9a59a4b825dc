package io.cle.spring.onleader.internal;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.context.event.EventListener;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.annotation.Schedules;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * The caller of a method, which determines the effect of {@code @OnLeader} on it. Read from annotations and their meta-annotations when the
 * bean is created: at a call, a scheduler can't be distinguished from another bean.
 */
sealed interface Trigger {

    /** Events of Spring that are published before leadership can begin, or after it has ended. */
    Set<String> OUTSIDE_OF_TERMS = Set.of(
            "org.springframework.boot.context.event.SpringApplicationEvent",
            "org.springframework.boot.web.server.context.WebServerInitializedEvent",
            "org.springframework.context.event.ContextRefreshedEvent",
            "org.springframework.context.event.ContextStartedEvent",
            "org.springframework.context.event.ContextStoppedEvent",
            "org.springframework.context.event.ContextClosedEvent");

    /** Only the grant of leadership: the method runs while this process leads, and a call of another bean is refused. */
    record Grant() implements Trigger {}

    /**
     * A trigger whose calls pass the bean's proxy: they are guarded.
     *
     * @param ownThread whether the calls come on threads that serve only the call, and may be interrupted when the term ends
     */
    record Guardable(boolean ownThread) implements Trigger {}

    /**
     * A caller that calls the method on every replica and can't be guarded: refused.
     *
     * @param by the annotation or the interface that indicates the caller
     */
    record Foreign(String by, ForeignCaller caller) implements Trigger {}

    /**
     * Determines the trigger of a method.
     *
     * @param type the bean's class
     * @param callbacks the names of methods without parameters that the bean's definition names as callbacks of the container
     */
    static Trigger of(Method method, Class<?> type, Set<String> callbacks) {
        for (MergedAnnotation<?> annotation :
                MergedAnnotations.from(method, MergedAnnotations.SearchStrategy.TYPE_HIERARCHY)) {
            ForeignCaller caller = ForeignCaller.of(annotation.getType());
            if (caller != null) {
                return new Foreign("@" + annotation.getRoot().getType().getSimpleName(), caller);
            }
        }
        boolean async = isAsync(method, type);
        boolean event = AnnotatedElementUtils.hasAnnotation(method, EventListener.class);
        if (event && !isScheduled(method)) {
            List<Class<?>> events = eventsOf(method);
            if (!events.isEmpty() && events.stream().allMatch(Trigger::isOutsideOfTerms)) {
                return new Foreign(
                        "@EventListener of " + ClassUtils.getShortName(events.get(0)), ForeignCaller.OUTSIDE_OF_TERMS);
            }
        }
        if (async || event || isScheduled(method)) {
            // The publisher of an event calls its listeners on its own thread, which has more to do than this call.
            return new Guardable(async || !event);
        }
        String callback = callback(method, type, callbacks);
        return callback == null ? new Grant() : new Foreign(callback, ForeignCaller.CALLBACK);
    }

    /** Returns the types that the annotation names, or else that of the parameter. */
    private static List<Class<?>> eventsOf(Method method) {
        EventListener listener = AnnotatedElementUtils.findMergedAnnotation(method, EventListener.class);
        return listener != null && listener.classes().length > 0
                ? List.of(listener.classes())
                : List.of(method.getParameterTypes());
    }

    /** Compares names, because the libraries need not be on the class path. */
    private static boolean isOutsideOfTerms(Class<?> event) {
        return Stream.<Class<?>>iterate(event, Objects::nonNull, Class::getSuperclass)
                .anyMatch(type -> OUTSIDE_OF_TERMS.contains(type.getName()));
    }

    private static boolean isScheduled(Method method) {
        return AnnotatedElementUtils.hasAnnotation(method, Scheduled.class)
                || AnnotatedElementUtils.hasAnnotation(method, Schedules.class);
    }

    /**
     * Returns whether a method is asynchronous. At the bean's class, {@code @Async} applies to all methods that may be asynchronous,
     * inherited ones included.
     */
    private static boolean isAsync(Method method, Class<?> type) {
        return AnnotatedElementUtils.hasAnnotation(method, Async.class)
                || (AnnotatedElementUtils.hasAnnotation(type, Async.class)
                        && Modifier.isPublic(method.getModifiers())
                        && !Modifier.isStatic(method.getModifiers())
                        && (method.getReturnType() == void.class || LeaderMethod.isFuture(method.getReturnType())));
    }

    private static @Nullable String callback(Method method, Class<?> type, Set<String> callbacks) {
        if (method.getParameterCount() == 0 && callbacks.contains(method.getName())) {
            return "the bean's definition";
        }
        for (Class<?> implemented : ClassUtils.getAllInterfacesForClassAsSet(type)) {
            boolean containers =
                    implemented.getName().startsWith("org.springframework.") || implemented == AutoCloseable.class;
            if (containers
                    && ReflectionUtils.findMethod(implemented, method.getName(), method.getParameterTypes()) != null) {
                return implemented.getSimpleName();
            }
        }
        return null;
    }
}
