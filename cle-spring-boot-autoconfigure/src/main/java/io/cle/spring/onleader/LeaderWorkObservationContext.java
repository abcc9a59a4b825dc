package io.cle.spring.onleader;

import io.cle.Term;
import io.micrometer.observation.Observation;

/** Holds the run of led work that an observation is about. */
public class LeaderWorkObservationContext extends Observation.Context {

    private final String lease;
    private final String work;
    private final Term term;

    /** Creates the context of a run that begins. */
    public LeaderWorkObservationContext(String lease, String work, Term term) {
        this.lease = lease;
        this.work = work;
        this.term = term;
    }

    /** Returns the name of the lease in this application; of a shard, the name of the lease that has shards. */
    public String lease() {
        return lease;
    }

    /** Returns the name of the work: the bean and its method. */
    public String work() {
        return work;
    }

    /** Returns the term that the run belongs to. */
    public Term term() {
        return term;
    }
}
