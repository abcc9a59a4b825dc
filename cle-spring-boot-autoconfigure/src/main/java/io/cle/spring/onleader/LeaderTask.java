package io.cle.spring.onleader;

import io.cle.lock.Term;

/** Something that is done for as long as a term lasts. */
interface LeaderTask {

    /** For logs and thread names. */
    String name();

    /**
     * Does it, on a thread of its own; returns when it is done, or soon after the thread was interrupted.
     *
     * @throws Exception when it has failed
     */
    void run(Term term) throws Exception;
}
