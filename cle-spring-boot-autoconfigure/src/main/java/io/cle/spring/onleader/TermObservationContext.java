package io.cle.spring.onleader;

import io.cle.RevokeReason;
import io.cle.Term;
import io.micrometer.observation.Observation;
import org.jspecify.annotations.Nullable;

/** Holds the term that an observation is about. */
public class TermObservationContext extends Observation.Context {

    private final String lease;
    private final Term term;
    private volatile @Nullable RevokeReason reason;

    /** Creates the context of a term that begins. */
    public TermObservationContext(String lease, Term term) {
        this.lease = lease;
        this.term = term;
    }

    /** Returns the name of the lease in this application; of a shard, the name of the lease that has shards. */
    public String lease() {
        return lease;
    }

    /** Returns the term that is observed. */
    public Term term() {
        return term;
    }

    /** Returns why the term has ended; {@code null} before its end. */
    public @Nullable RevokeReason reason() {
        return reason;
    }

    /** Records why the term has ended. */
    public void end(RevokeReason why) {
        reason = why;
    }
}
