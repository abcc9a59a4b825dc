package io.cle.model.internal;

/** What the API server says of the pod of a candidate, as its kubelet has reported it (safety.md#terminated-holder). */
public sealed interface PodState {

    /** There is no such pod, or another one has its name. Its containers may still run: see safety.md#terminated-holder. */
    record Missing() implements PodState {}

    /**
     * The state of the candidate's container isn't known.
     *
     * @param why for people
     */
    record Unclear(String why) implements PodState {}

    /** The kubelet has reported the container that the candidate runs in. */
    record Reported(Container container) implements PodState {}

    /**
     * A container as reported.
     *
     * @param phase what it does at present
     * @param restarts how many times it has been started again
     * @param runs the id of the run that the report is about; empty when there is none
     * @param lastEnded the id of the run that was last reported as terminated; empty when there is none
     */
    record Container(Phase phase, int restarts, String runs, String lastEnded) {}

    /** The states of a container (core/v1 ContainerState). */
    enum Phase {
        /** It waits to be started, for the first time or again. */
        WAITING,
        /** It runs. */
        RUNNING,
        /** It has ended. */
        TERMINATED
    }
}
