package io.cle.evidence.chaos;

/**
 * A period in which a process has observed {@code isLeader()} to be true under one token. It was true throughout,
 * because a term that has ended never resumes.
 *
 * @param process the identity of the process
 * @param token the fencing token
 * @param from the end of the first check that found it true
 * @param to the start of the last check that found it true
 */
record RecordedTerm(String process, long token, long from, long to) {}
