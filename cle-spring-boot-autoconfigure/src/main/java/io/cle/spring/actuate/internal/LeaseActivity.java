package io.cle.spring.actuate.internal;

import java.util.Collection;
import java.util.List;

import io.cle.spring.onleader.internal.LeaderWork;
import io.cle.spring.onleader.internal.WorkLog;
import org.springframework.beans.factory.ObjectProvider;

/** What is done under a lease in this process, as far as operators must know. Thread-safe. */
@FunctionalInterface
public interface LeaseActivity {

    /** That of an application. */
    static LeaseActivity of(ObjectProvider<LeaderWork> work) {
        return lease -> {
            LeaderWork known = work.getIfAvailable();
            return known == null ? List.of() : known.status(lease);
        };
    }

    /**
     * How the led work fares.
     *
     * @param lease the name of the lease in this application
     */
    Collection<WorkLog.Status> work(String lease);
}
