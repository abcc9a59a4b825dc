package io.cle.spring.actuate.internal;

import java.util.Collection;
import java.util.List;

/** What is done under a lease in this process, as far as operators must know. Thread-safe. */
public interface LeaseActivity {

    /** Of an application without led work or listeners. */
    LeaseActivity NONE = new LeaseActivity() {};

    /**
     * How the led work fares.
     *
     * @param lease the name of the lease in this application
     */
    default Collection<WorkStatus> work(String lease) {
        return List.of();
    }

    /**
     * The listeners that failed on their last event, or have not returned from it.
     *
     * @param lease the name of the lease in this application
     */
    default Collection<ListenerProblem> listeners(String lease) {
        return List.of();
    }
}
