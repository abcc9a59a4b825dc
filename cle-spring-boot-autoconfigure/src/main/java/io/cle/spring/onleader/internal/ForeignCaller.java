package io.cle.spring.onleader.internal;

import java.lang.reflect.Method;
import java.util.Set;

import io.cle.spring.onleader.OnLeaderUsageException;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;

/**
 * A caller whose calls would be lost on replicas that don't lead, or can't be guarded. Recognised by the names of
 * annotations and meta-annotations, because the libraries need not be on the class path.
 */
enum ForeignCaller {
    REQUEST(
            "requests call it, and a replica that doesn't lead must answer them, too",
            "Ask CoordinatedLeaseLock.isLeader() in it, or let requests through on the leader only by the recipe RequireLeader,"
                    + " which answers 503 with the leader's identity elsewhere (docs/led-work.md, \"What can't be guarded\").",
            Set.of("org.springframework.web.bind.annotation.RequestMapping")),

    /** Kafka's, Rabbit's and JMS' listeners carry {@code @MessageMapping}. */
    MESSAGE(
            "a container of another library calls it, and what it is called with would be lost on replicas that don't lead",
            "Have the container started and stopped with the terms instead, as the recipe LeaderKafkaListener does"
                    + " (docs/led-work.md, \"What can't be guarded\").",
            Set.of("org.springframework.messaging.handler.annotation.MessageMapping")),

    CONTAINER(
            "the container calls it when it creates or destroys the bean, on every replica",
            "Do it where a term begins or ends instead: in an @OnLeader method without another trigger, in start() and stop() of a"
                    + " Lifecycle bean whose class has @OnLeader, or in an @EventListener of OnGrantedLeadership and"
                    + " OnRevokedLeadership.",
            Set.of("jakarta.annotation.PostConstruct", "jakarta.annotation.PreDestroy"));

    private static final String INTEGRATION = "org.springframework.integration.annotation";

    private final String reason;
    private final String action;
    private final Set<String> annotations;

    ForeignCaller(String reason, String action, Set<String> annotations) {
        this.reason = reason;
        this.action = action;
        this.annotations = annotations;
    }

    private boolean isShownBy(Class<?> annotation) {
        return annotations.contains(annotation.getName())
                || (this == MESSAGE && annotation.getPackageName().equals(INTEGRATION));
    }

    /**
     * Refuses a method with such a caller.
     *
     * @param place the method, for the message
     * @param ofClass whether {@code @OnLeader} is at the class, whose methods may still be called when the bean is created or destroyed
     */
    static void refuse(Method method, String place, boolean ofClass) {
        for (MergedAnnotation<?> annotation :
                MergedAnnotations.from(method, MergedAnnotations.SearchStrategy.TYPE_HIERARCHY)) {
            for (ForeignCaller caller : values()) {
                if (caller.isShownBy(annotation.getType()) && !(ofClass && caller == CONTAINER)) {
                    String by = "@" + annotation.getRoot().getType().getSimpleName();
                    throw new OnLeaderUsageException(
                            place, "can't be guarded: by " + by + ", " + caller.reason, caller.action);
                }
            }
        }
    }
}
