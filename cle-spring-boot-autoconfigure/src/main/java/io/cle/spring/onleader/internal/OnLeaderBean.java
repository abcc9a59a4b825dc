package io.cle.spring.onleader.internal;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.cle.spring.onleader.OnLeader;
import io.cle.spring.onleader.OnLeaderUsageException;
import org.jspecify.annotations.Nullable;
import org.springframework.context.Lifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.event.EventListener;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.annotation.Schedules;
import org.springframework.util.StringValueResolver;

/**
 * The effect of {@link OnLeader} on one bean: which of its methods run while this process leads, which are guarded, and whether the bean
 * itself is started and stopped.
 *
 * @param name the bean's name
 * @param work the methods that run when leadership is granted; calls of other beans are refused
 * @param guards the methods that only run if this process leads
 * @param lifecycle present if the bean is started and stopped with the terms
 */
record OnLeaderBean(String name, Map<Method, Target> work, Map<Method, Guard> guards, Optional<Target> lifecycle) {

    /**
     * The attributes of an {@link OnLeader} annotation, with placeholders and expressions resolved.
     *
     * @param lease the lease; empty if none is named
     * @param controller the controller; empty if none is named
     * @param interrupt whether the work's thread is interrupted when the term ends
     */
    record Target(String lease, String controller, boolean interrupt) {

        /** The attributes of a bean without an annotation of its own. */
        static final Target DEFAULT = new Target("", "", true);

        /**
         * Reads an annotation.
         *
         * @param place where it is, for messages
         * @param values resolves placeholders and expressions
         * @throws OnLeaderUsageException if it names a lease and a controller
         */
        static Target of(OnLeader annotation, String place, StringValueResolver values) {
            String lease = resolve(annotation.lease(), values);
            String controller = resolve(annotation.controller(), values);
            if (!lease.isEmpty() && !controller.isEmpty()) {
                throw new OnLeaderUsageException(
                        place,
                        "names both the lease '" + lease + "' and the controller '" + controller + "'",
                        "Keep one of them; a controller's lease follows from its assignment.");
            }
            return new Target(lease, controller, annotation.interrupt());
        }

        private static String resolve(String value, StringValueResolver values) {
            return Objects.requireNonNullElse(values.resolveStringValue(value), "")
                    .strip();
        }

        /** Returns these attributes; those with default values are taken from the annotation of the class. */
        Target or(Target ofClass) {
            boolean named = !lease.isEmpty() || !controller.isEmpty();
            return new Target(
                    named ? lease : ofClass.lease,
                    named ? controller : ofClass.controller,
                    interrupt && ofClass.interrupt);
        }
    }

    /**
     * The guard of a method.
     *
     * @param ownThread whether its trigger calls it on a thread that serves only the call and may be interrupted
     */
    record Guard(Target target, boolean ownThread) {

        /** Returns whether the thread of a run is interrupted when its term ends. */
        boolean interrupts() {
            return ownThread && target.interrupt();
        }
    }

    /**
     * Reads the annotations of a bean.
     *
     * @param type its class, without proxies
     * @param ofBean the annotation on its class or its factory method
     * @param values resolves placeholders and expressions
     * @return empty if there is nothing to lead
     * @throws OnLeaderUsageException if the annotation is in a place where it can't work
     */
    static Optional<OnLeaderBean> of(
            String name, Class<?> type, @Nullable OnLeader ofBean, StringValueResolver values) {
        Map<Method, OnLeader> annotated = MethodIntrospector.selectMethods(
                type, (MethodIntrospector.MetadataLookup<OnLeader>) OnLeaderBean::annotationOf);
        if (ofBean == null && annotated.isEmpty()) {
            return Optional.empty();
        }
        Target common = ofBean == null ? Target.DEFAULT : Target.of(ofBean, "bean '" + name + "'", values);
        Map<Method, Target> work = new LinkedHashMap<>();
        Map<Method, Guard> guards = new LinkedHashMap<>();
        annotated.forEach((method, annotation) -> {
            ForeignCaller.refuse(method, place(name, method), false);
            Target target = Target.of(annotation, place(name, method), values).or(common);
            if (isTriggered(method, type)) {
                guards.put(method, new Guard(target, hasOwnThread(method, type)));
            } else {
                work.put(method, target);
            }
        });
        if (ofBean != null) {
            for (Method method : MethodIntrospector.selectMethods(type, (Method method) -> true)) {
                ForeignCaller.refuse(
                        method, "the class guards all triggered methods, and " + place(name, method), true);
                if (isTriggered(method, type)) {
                    guards.putIfAbsent(method, new Guard(common, hasOwnThread(method, type)));
                }
            }
        }
        boolean lives = ofBean != null && Lifecycle.class.isAssignableFrom(type);
        if (work.isEmpty() && guards.isEmpty() && !lives) {
            return Optional.empty();
        }
        OnLeaderBean bean = new OnLeaderBean(name, work, guards, lives ? Optional.of(common) : Optional.empty());
        OnLeaderRules.check(bean, type);
        return Optional.of(bean);
    }

    private static boolean isTriggered(Method method, Class<?> type) {
        return isEventListener(method) || isScheduled(method) || isAsync(method, type);
    }

    /** Returns whether the thread serves only the call. A publisher of events calls listeners on its own thread, which has other work, too. */
    private static boolean hasOwnThread(Method method, Class<?> type) {
        return isAsync(method, type) || !isEventListener(method);
    }

    private static boolean isEventListener(Method method) {
        return AnnotatedElementUtils.hasAnnotation(method, EventListener.class);
    }

    private static boolean isScheduled(Method method) {
        return AnnotatedElementUtils.hasAnnotation(method, Scheduled.class)
                || AnnotatedElementUtils.hasAnnotation(method, Schedules.class);
    }

    /** At the bean's class, {@code @Async} applies to all methods that may be asynchronous, inherited ones included. */
    private static boolean isAsync(Method method, Class<?> type) {
        return AnnotatedElementUtils.hasAnnotation(method, Async.class)
                || (AnnotatedElementUtils.hasAnnotation(type, Async.class)
                        && Modifier.isPublic(method.getModifiers())
                        && !Modifier.isStatic(method.getModifiers())
                        && (method.getReturnType() == void.class || LeaderMethod.isFuture(method.getReturnType())));
    }

    private static @Nullable OnLeader annotationOf(Method method) {
        // On a @Bean method, the annotation applies to the bean that the method creates.
        return AnnotatedElementUtils.hasAnnotation(method, Bean.class)
                ? null
                : AnnotatedElementUtils.findMergedAnnotation(method, OnLeader.class);
    }

    /** Returns the method and its bean, for messages. */
    static String place(String bean, Method method) {
        return "method " + method.getDeclaringClass().getSimpleName() + "." + method.getName() + " of bean '" + bean
                + "'";
    }

    /** Returns the bean, and its first led method if it has one, for messages. */
    String place() {
        return Stream.concat(guards.keySet().stream(), work.keySet().stream())
                .findFirst()
                .map(method -> place(name, method))
                .orElse("bean '" + name + "'");
    }

    /** Returns the bean and its method, for logs, meters and the endpoint. */
    static String workName(String bean, Method method) {
        return bean + "." + method.getName();
    }

    /** Returns the controllers that the annotations name. */
    Set<String> controllers() {
        return Stream.of(work.values().stream(), guards.values().stream().map(Guard::target), lifecycle.stream())
                .flatMap(Function.identity())
                .map(Target::controller)
                .filter(controller -> !controller.isEmpty())
                .collect(Collectors.toSet());
    }
}
