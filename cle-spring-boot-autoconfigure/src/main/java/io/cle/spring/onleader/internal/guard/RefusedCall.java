package io.cle.spring.onleader.internal.guard;

import java.util.List;

import io.cle.spring.onleader.OnLeaderUsageException;

/** The refusal of a call of a method that runs while this process leads. */
final class RefusedCall {

    /** What stands between a caller and the guard, or between the container and its callback. */
    private static final List<String> BETWEEN =
            List.of("io.cle.spring.onleader.internal.", "org.springframework.", "java.", "jdk.");

    private RefusedCall() {}

    /**
     * Names the caller, as the stack shows it to whoever reads the message.
     *
     * @param place the called method, for messages
     */
    static OnLeaderUsageException of(String place) {
        String caller = StackWalker.getInstance()
                .walk(frames -> frames.filter(frame -> !isBetween(frame.getClassName()))
                        .findFirst()
                        .map(frame -> frame.getClassName() + "." + frame.getMethodName())
                        .orElseGet(() -> "the container on thread '"
                                + Thread.currentThread().getName() + "'"));
        return new OnLeaderUsageException(
                place,
                "was called by " + caller
                        + ". It runs by itself while this process leads; the call would run it beside that,"
                        + " or on a replica that doesn't lead. Move what both need to a method without @OnLeader, or give"
                        + " the method a trigger, such as @EventListener, so that @OnLeader guards it",
                "Let " + caller + " call another method.");
    }

    private static boolean isBetween(String frame) {
        return frame.contains("$$") || BETWEEN.stream().anyMatch(frame::startsWith);
    }
}
