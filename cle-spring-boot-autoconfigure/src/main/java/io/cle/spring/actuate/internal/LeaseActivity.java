package io.cle.spring.actuate.internal;

import java.util.Collection;
import java.util.List;

/** What is done under a lease in this process, as far as operators must know. Thread-safe. */
@FunctionalInterface
public interface LeaseActivity {

    /** Of an application without led work. */
    LeaseActivity NONE = lease -> List.of();

    /**
     * How the led work fares.
     *
     * @param lease the name of the lease in this application
     */
    Collection<WorkStatus> work(String lease);
}
