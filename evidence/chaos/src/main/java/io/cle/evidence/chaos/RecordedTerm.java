package io.cle.evidence.chaos;

/**
 * A stretch of time in which a process has seen {@code isLeader()} to be true under one token. It held throughout: a term that was over
 * once never comes back.
 *
 * @param process the identity of the process
 * @param token the fencing token
 * @param from the end of the first look that found it true
 * @param to the begin of the last look that found it true
 */
record RecordedTerm(String process, long token, long from, long to) {}
