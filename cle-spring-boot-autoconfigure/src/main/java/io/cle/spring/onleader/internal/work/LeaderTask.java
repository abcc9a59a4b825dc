package io.cle.spring.onleader.internal.work;

import io.cle.spring.onleader.internal.bean.OnLeaderTarget;
import io.cle.spring.onleader.internal.term.LeaderRun;

/**
 * Led work that runs for as long as a term lasts.
 *
 * @param name for logs, meters and thread names
 * @param target what its annotation says
 * @param body what is done
 */
record LeaderTask(String name, OnLeaderTarget target, Body body) {

    /** What is done in a term. */
    @FunctionalInterface
    interface Body {

        /**
         * Does the work, on a thread of its own; returns when it is done, or soon after the stop of the run was requested.
         *
         * @param run has the term, and knows when it has ended
         * @throws Exception if the work fails, or is interrupted
         */
        void run(LeaderRun run) throws Exception;
    }
}
