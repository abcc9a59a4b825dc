package io.cle.election.internal.api;

/** The state of a candidate's pod, as its kubelet has reported it to the API server (safety.md#terminated-holder). */
public sealed interface PodState {

    /** The pod doesn't exist, or another pod has its name. Its containers may still run: see safety.md#terminated-holder. */
    record Missing() implements PodState {}

    /**
     * The state of the candidate's container isn't known.
     *
     * @param why the reason, for display
     */
    record Unclear(String why) implements PodState {}

    /**
     * The container that the candidate runs in, as the kubelet has reported it.
     *
     * @param phase its current state
     * @param restarts how many times it has been restarted
     * @param runs the id of the run that is reported; empty if there is none
     * @param lastEnded the id of the run last reported as terminated; empty if there is none
     */
    record Container(Phase phase, int restarts, String runs, String lastEnded) implements PodState {}

    /** The states of a container (core/v1 ContainerState). */
    enum Phase {
        /** It is waiting to be started or restarted. */
        WAITING,
        /** It is running. */
        RUNNING,
        /** It has terminated. */
        TERMINATED
    }
}
