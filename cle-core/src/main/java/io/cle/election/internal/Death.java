package io.cle.election.internal;

import java.util.Map;

import io.cle.model.PodState.Container;
import io.cle.model.PodState.Phase;
import org.jspecify.annotations.Nullable;

/** Whether a silent holder is known to be dead, so that the lease needn't expire (safety.md#terminated-holder). Pure. */
final class Death {

    private Death() {}

    /**
     * Whether every container has ended since the term began. Which of them the holder runs in isn't known.
     *
     * @param whileItLed the containers as they were reported during the term; those are missing that weren't reported then
     * @param now the containers as they are reported now; empty when that isn't known
     */
    static boolean of(Map<String, Container> whileItLed, Map<String, Container> now) {
        return !now.isEmpty()
                && now.entrySet().stream()
                        .allMatch(container -> ended(whileItLed.get(container.getKey()), container.getValue()));
    }

    /**
     * Whether a container has ended that may have run the holder. A report that showed it as not running while the holder led was late:
     * the kubelet had started another run and had not reported it. What such a report is followed by says nothing of this term.
     */
    private static boolean ended(@Nullable Container whileItLed, Container now) {
        if (whileItLed == null) {
            return now.phase() == Phase.TERMINATED;
        }
        return whileItLed.phase() == Phase.RUNNING
                && (now.phase() == Phase.TERMINATED
                        || now.restarts() > whileItLed.restarts()
                        || (!whileItLed.runs().isEmpty() && now.lastEnded().equals(whileItLed.runs())));
    }
}
