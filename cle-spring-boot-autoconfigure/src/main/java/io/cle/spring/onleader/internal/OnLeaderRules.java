package io.cle.spring.onleader.internal;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;

import io.cle.Shard;
import io.cle.Term;
import io.cle.spring.lock.internal.ApplicationLease;
import io.cle.spring.onleader.OnLeader;
import io.cle.spring.onleader.OnLeaderUsageException;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.KotlinDetector;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.util.ReflectionUtils;

/** Refuses {@link OnLeader} in places where it can't work, before anything runs. */
final class OnLeaderRules {

    private OnLeaderRules() {}

    /** Explains why {@link OnLeader} can't work in a place. */
    static final class UsageFailureAnalyzer extends AbstractFailureAnalyzer<OnLeaderUsageException> {

        @Override
        protected FailureAnalysis analyze(Throwable rootFailure, OnLeaderUsageException cause) {
            return new FailureAnalysis(cause.getMessage() + ".", cause.action(), cause);
        }
    }

    static void check(OnLeaderBean bean, Class<?> type) {
        bean.work().keySet().forEach(method -> checkWork(bean, type, method));
        bean.guards().keySet().forEach(method -> {
            String place = OnLeaderBean.place(bean.name(), method);
            checkResult(place, method);
            checkModifiers(place, type, method);
        });
        if (bean.lifecycle().isPresent()) {
            checkLifecycle(bean, type);
        }
    }

    /**
     * Refuses work and lifecycles of beans that aren't singletons, because they need one instance that lasts. In
     * {@code @RefreshScope}, a refresh waits for the work's end, or replaces a started bean without stopping it. In a
     * scope of many instances, it is undefined which of them would work.
     *
     * @param scope {@code null} for a singleton
     */
    static void checkScope(OnLeaderBean bean, @Nullable String scope) {
        if (scope != null && (!bean.work().isEmpty() || bean.lifecycle().isPresent())) {
            throw new OnLeaderUsageException(
                    bean.lifecycle().isPresent()
                            ? "bean '" + bean.name() + "'"
                            : OnLeaderBean.place(
                                    bean.name(), bean.work().keySet().iterator().next()),
                    "can't be led: the bean is in the scope '" + scope
                            + "', which replaces its instances while they work, or has several of them",
                    "Make the bean a singleton, and let its work ask a bean of the scope '" + scope
                            + "' for changing values; or guard a @Scheduled method instead.");
        }
    }

    private static void checkWork(OnLeaderBean bean, Class<?> type, Method method) {
        String place = OnLeaderBean.place(bean.name(), method);
        checkResult(place, method);
        checkModifiers(place, type, method);
        if (!takesTermsAndShardsOnly(method)) {
            throw new OnLeaderUsageException(
                    place,
                    "can't be run when leadership is granted: it has parameters for which there is no value",
                    "Let it have no parameters, or one of type " + Term.class.getName()
                            + " and, if its lease is led in parts, one of type " + Shard.class.getName()
                            + ". A method that something else calls is guarded if it is @Scheduled, an @EventListener or"
                            + " @Async.");
        }
    }

    private static boolean takesTermsAndShardsOnly(Method method) {
        return Arrays.stream(method.getParameterTypes())
                .allMatch(parameter -> parameter == Term.class || parameter == Shard.class);
    }

    /** Refuses a method whose work begins after its call, where no term is checked. */
    private static void checkResult(String place, Method method) {
        Class<?> type = method.getReturnType();
        boolean suspends = KotlinDetector.isSuspendingFunction(method);
        if (suspends
                || (!LeaderMethod.isFuture(type)
                        && ReactiveAdapterRegistry.getSharedInstance().getAdapter(type) != null)) {
            throw new OnLeaderUsageException(
                    place,
                    "can't be led: " + (suspends ? "it is a suspend function" : "it returns " + type.getName())
                            + ", whose work begins when something subscribes to it, perhaps after the term",
                    "Let the method wait for the end of the work, for example by block() or runBlocking, or return a"
                            + " future of it, for example by toFuture(), which is cancelled when the term ends.");
        }
    }

    private static boolean takesShard(Method method) {
        return Arrays.asList(method.getParameterTypes()).contains(Shard.class);
    }

    /** Refuses a method that takes a shard if its lease has none. */
    static void checkWorkOf(ApplicationLease lease, String place, Method method) {
        if (lease.shard().isEmpty() && takesShard(method)) {
            throw new OnLeaderUsageException(
                    place,
                    "has a parameter of type " + Shard.class.getName() + ", and its lease '" + lease.commonName()
                            + "' has no shards",
                    "Set the number of shards by cle.leases.<name>.shards, name a lease that has some in"
                            + " @OnLeader(lease = \"<name>\"), or remove the parameter.");
        }
    }

    /** Refuses a method that returns something if its lease has shards, because it is called once for each. */
    static void checkGuardOf(ApplicationLease lease, String place, Method method) {
        if (lease.shard().isPresent() && method.getReturnType() != void.class) {
            throw new OnLeaderUsageException(
                    place,
                    "returns " + method.getReturnType().getName() + ", and its lease '" + lease.commonName()
                            + "' is led in parts: each call of it runs it once for each shard that this process leads",
                    "Let it return nothing (void), and do the work within the method.");
        }
    }

    /** Refuses a lifecycle bean if its lease has shards, which may have terms at the same time. */
    static void checkLifecycleOf(ApplicationLease lease, String place) {
        if (lease.shard().isPresent()) {
            throw new OnLeaderUsageException(
                    place,
                    "can't be started by the lease '" + lease.commonName()
                            + "', which is led in parts: each shard would start and stop the same bean",
                    "Name a lease without shards, or let a method with @OnLeader that takes a " + Shard.class.getName()
                            + " start what its shard needs, and stop it when it is interrupted.");
        }
    }

    /** Checks that the proxy, a subclass of the bean's class, can override the method. */
    private static void checkModifiers(String place, Class<?> type, Method method) {
        int modifiers = method.getModifiers();
        String obstacle = Modifier.isStatic(modifiers)
                ? "it is static"
                : Modifier.isPrivate(modifiers)
                        ? "it is private"
                        : Modifier.isFinal(modifiers)
                                ? "it is final"
                                : Modifier.isFinal(type.getModifiers())
                                        ? "the class " + type.getName() + " is final"
                                        : null;
        if (obstacle != null) {
            throw new OnLeaderUsageException(
                    place,
                    "can't be guarded: " + obstacle + ", so the guard, which is a proxy, can't override it",
                    "Make it an instance method that is neither private nor final, of a class that isn't final: in Kotlin open,"
                            + " which the compiler plugin kotlin-spring does; a class in place of a record.");
        }
    }

    /** Refuses a bean of a context whose locks belong to its parent and outlast the context. */
    static OnLeaderUsageException inChildContext(OnLeaderBean bean) {
        return new OnLeaderUsageException(
                bean.place(),
                "can't be led: its application context is the child of the one that has the locks",
                "Declare the bean in the parent context.");
    }

    /** Refuses a bean that another bean would get before it is guarded. */
    static OnLeaderUsageException circularReference(OnLeaderBean bean) {
        return new OnLeaderUsageException(
                bean.place(),
                "can't be guarded: bean '" + bean.name()
                        + "' is part of a circular reference, and would be injected before its guard is applied",
                "Remove the circular reference, or inject the bean as an ObjectProvider or with @Lazy.");
    }

    /**
     * Refuses a bean that was created before guards are applied.
     *
     * @param neededBy the beans that it was injected into
     */
    static OnLeaderUsageException createdTooEarly(OnLeaderBean bean, List<String> neededBy) {
        return new OnLeaderUsageException(
                bean.place(),
                "is not guarded: bean '" + bean.name()
                        + "' was created before guards are applied, as post-processors and their dependencies are, or was registered as an"
                        + " object" + (neededBy.isEmpty() ? "" : "; it is needed by " + neededBy),
                "Let beans that are created that early look it up on use (ObjectProvider, @Lazy), declare"
                        + " post-processors by static @Bean methods, or move the led work to a bean of its own.");
    }

    private static void checkLifecycle(OnLeaderBean bean, Class<?> type) {
        if (FactoryBean.class.isAssignableFrom(type) || !canBeProxied(type)) {
            throw new OnLeaderUsageException(
                    "bean '" + bean.name() + "' (" + type.getName() + ")",
                    "can't keep the context from starting it: it is a FactoryBean, or it or its start() or isAutoStartup() is"
                            + " final",
                    "Set its autoStartup to false, and let a Lifecycle bean of yours with @OnLeader start and stop it, as the"
                            + " recipes LeaderKafkaListener and LeaderScheduler do.");
        }
    }

    /** Returns whether a proxy receives the calls that start a bean. */
    static boolean canBeProxied(Class<?> type) {
        return !Modifier.isFinal(type.getModifiers()) && !isFinal(type, "start") && !isFinal(type, "isAutoStartup");
    }

    private static boolean isFinal(Class<?> type, String methodName) {
        Method method = ReflectionUtils.findMethod(type, methodName);
        return method != null && Modifier.isFinal(method.getModifiers());
    }
}
