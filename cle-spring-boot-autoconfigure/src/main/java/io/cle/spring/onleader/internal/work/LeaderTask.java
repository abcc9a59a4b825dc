package io.cle.spring.onleader.internal.work;

import io.cle.spring.onleader.internal.bean.OnLeaderTarget;
import io.cle.spring.onleader.internal.term.LeaderRun;

/** Led work that runs for as long as a term lasts. */
interface LeaderTask {

    /** For logs and thread names. */
    String name();

    /** What its annotation says. */
    OnLeaderTarget target();

    /**
     * Does the work, on a thread of its own; returns when it is done, or soon after the stop of the run was requested.
     *
     * @param run has the term, and knows when it has ended
     * @throws Exception if the work fails, or is interrupted
     */
    void run(LeaderRun run) throws Exception;
}
