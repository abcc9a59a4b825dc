package io.cle.model;

import java.util.Map;

/** What the API server says of the pod of a candidate, as its kubelet has reported it (safety.md#terminated-holder). */
public sealed interface PodState {

    /** There is no such pod, or another one has its name. Its containers may still run: see safety.md#terminated-holder. */
    record Missing() implements PodState {}

    /** The kubelet hasn't reported all containers, or has lost sight of one. */
    record Unclear() implements PodState {}

    /**
     * The kubelet has reported every container.
     *
     * @param containers the regular containers by name; at least one
     */
    record Reported(Map<String, Container> containers) implements PodState {

        /** Copies the map. */
        public Reported {
            containers = Map.copyOf(containers);
        }
    }

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
