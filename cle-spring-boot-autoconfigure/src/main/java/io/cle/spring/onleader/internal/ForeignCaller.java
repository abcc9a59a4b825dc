package io.cle.spring.onleader.internal;

import java.lang.annotation.Annotation;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.springframework.context.event.EventListener;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.util.ClassUtils;

/**
 * A caller whose calls can't be guarded, because it calls methods on every replica and expects an answer, or because its calls bypass the
 * bean's proxy. Callers are recognised by the names of annotations, because the libraries need not be on the class path. Annotations of
 * libraries that aren't listed are recognised by the usual endings of their names.
 */
enum ForeignCaller {
    REQUEST(
            "requests call it, which a replica that doesn't lead must answer, too",
            "Ask CoordinatedLeaseLock.isLeader() in it, or let requests through on the leader only by the recipe RequireLeader,"
                    + " which answers 503 with the leader's identity elsewhere (docs/led-work.md, \"With other libraries\").",
            Set.of("Mapping", "Operation"),
            Set.of(
                    "org.springframework.web.bind.annotation.ExceptionHandler",
                    "org.springframework.web.bind.annotation.InitBinder",
                    "org.springframework.web.bind.annotation.ModelAttribute",
                    "org.springframework.web.service.annotation.HttpExchange",
                    "org.springframework.graphql.data.method.annotation.GraphQlExceptionHandler",
                    "org.springframework.jmx.export.annotation.ManagedAttribute",
                    "org.springframework.ws.server.endpoint.annotation.PayloadRoot",
                    "org.springframework.ws.soap.server.endpoint.annotation.SoapAction",
                    "org.springframework.ai.tool.annotation.Tool",
                    "org.springframework.shell.command.annotation.Command",
                    "org.springframework.shell.standard.ShellMethod",
                    "jakarta.jws.WebMethod",
                    "jakarta.websocket.OnClose",
                    "jakarta.websocket.OnError",
                    "jakarta.websocket.OnMessage",
                    "jakarta.websocket.OnOpen",
                    "jakarta.ws.rs.HttpMethod",
                    "jakarta.ws.rs.Path"),
            true),

    MESSAGE(
            "a container of another library calls it, and what it is called with would be lost on replicas that don't lead",
            "Have the container started and stopped with the terms instead: @OnLeader on its @Bean method, or the recipe"
                    + " LeaderKafkaListener (docs/led-work.md, \"With other libraries\").",
            Set.of("Listener", "Listeners", "Handler"),
            Set.of(
                    "org.apache.camel.Consume",
                    "org.jobrunr.jobs.annotations.Job",
                    "org.jobrunr.jobs.annotations.Recurring",
                    "org.springframework.integration.annotation.Aggregator",
                    "org.springframework.integration.annotation.BridgeFrom",
                    "org.springframework.integration.annotation.BridgeTo",
                    "org.springframework.integration.annotation.Filter",
                    "org.springframework.integration.annotation.InboundChannelAdapter",
                    "org.springframework.integration.annotation.Router",
                    "org.springframework.integration.annotation.ServiceActivator",
                    "org.springframework.integration.annotation.Splitter",
                    "org.springframework.integration.annotation.Transformer"),
            true),

    ADVICE(
            "other beans' calls go through it",
            "Ask CoordinatedLeaseLock.isLeader() in it.",
            Set.of(),
            Set.of(
                    "org.aspectj.lang.annotation.After",
                    "org.aspectj.lang.annotation.AfterReturning",
                    "org.aspectj.lang.annotation.AfterThrowing",
                    "org.aspectj.lang.annotation.Around",
                    "org.aspectj.lang.annotation.Before"),
            true),

    LIFECYCLE(
            "the container calls it when it makes or destroys the bean, on every replica",
            ForeignCaller.WHERE_TERMS_BEGIN,
            Set.of("PostConstruct", "PreDestroy"),
            Set.of(),
            true),

    BEAN_METHOD(
            "the container calls it to make a bean",
            "Put @OnLeader on the @Bean method itself: there it means the bean that the method makes.",
            Set.of(),
            Set.of("org.springframework.context.annotation.Bean"),
            true),

    /** Spring itself, while the application starts or closes; recognised by the type of the event. */
    OUTSIDE_OF_TERMS(
            "its event only comes while this process doesn't lead: leadership begins after the application is ready, and has ended when"
                    + " the application closes. The method would never run",
            "To do something once when this process begins to lead, remove the trigger: an @OnLeader method without one runs when"
                    + " leadership is granted, in each term. Or listen to OnGrantedLeadership or OnRevokedLeadership. What every replica"
                    + " is to do needs no @OnLeader.",
            Set.of(),
            Set.of(),
            true),

    /** The container injects a dependency, which is no work: harmless beside an annotation of the class. */
    INJECTION(
            "the container calls it to inject something",
            ForeignCaller.WHERE_TERMS_BEGIN,
            Set.of(),
            Set.of(
                    "jakarta.annotation.Resource",
                    "jakarta.inject.Inject",
                    "org.springframework.beans.factory.annotation.Autowired",
                    "org.springframework.beans.factory.annotation.Lookup",
                    "org.springframework.beans.factory.annotation.Value"),
            false),

    /**
     * The method belongs to an interface of the container, or the bean's definition names it. Harmless beside an annotation of the class,
     * as with injection.
     */
    CALLBACK("the container calls it, on every replica", ForeignCaller.WHERE_TERMS_BEGIN, Set.of(), Set.of(), false);

    private static final String WHERE_TERMS_BEGIN =
            "Do it where a term begins or ends instead: in an @OnLeader method without another trigger, in start() and stop() of a"
                    + " Lifecycle bean whose class has @OnLeader, or in an @EventListener of OnGrantedLeadership and"
                    + " OnRevokedLeadership.";

    private final String reason;
    private final String action;
    private final Set<String> endings;
    private final Set<String> names;
    private final boolean refusedBesideClass;

    ForeignCaller(String reason, String action, Set<String> endings, Set<String> names, boolean refusedBesideClass) {
        this.reason = reason;
        this.action = action;
        this.endings = endings;
        this.names = names;
        this.refusedBesideClass = refusedBesideClass;
    }

    /** Returns the caller that an annotation indicates; {@code null} if it indicates none. */
    static @Nullable ForeignCaller of(Class<? extends Annotation> annotation) {
        for (ForeignCaller caller : values()) {
            if (caller.names.contains(annotation.getName())) {
                return caller;
            }
        }
        if (isOf(EventListener.class, annotation) || isOf(Scheduled.class, annotation)) {
            return null;
        }
        String name = ClassUtils.getShortName(annotation);
        for (ForeignCaller caller : values()) {
            if (caller.endings.stream().anyMatch(name::endsWith)) {
                return caller;
            }
        }
        return null;
    }

    private static boolean isOf(Class<? extends Annotation> meta, Class<? extends Annotation> annotation) {
        return annotation == meta || AnnotatedElementUtils.hasAnnotation(annotation, meta);
    }

    /** Returns what calls the method and why the call can't be guarded. Continues a sentence. */
    String reason() {
        return reason;
    }

    /** Returns what to do instead, in a sentence. */
    String action() {
        return action;
    }

    /** Returns whether the method is refused, too, if {@code @OnLeader} is at its class, where it says that all triggered methods are guarded. */
    boolean isRefusedBesideClass() {
        return refusedBesideClass;
    }
}
