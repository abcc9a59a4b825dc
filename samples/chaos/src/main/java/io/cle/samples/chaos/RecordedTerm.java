package io.cle.samples.chaos;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * A stretch of time in which a process has seen {@code isLeader()} to be true under one token. It held throughout: a term that was over
 * once never comes back.
 *
 * @param process who
 * @param token the fencing token
 * @param from the end of the first look that found it true, in wall clock nanoseconds of the one machine that all processes run on
 * @param to the begin of the last look that found it true
 */
record RecordedTerm(String process, long token, long from, long to) {

    /** Two terms of different terms that were at one time. */
    record Overlap(RecordedTerm first, RecordedTerm second) {}

    /** All overlaps. */
    static List<Overlap> overlaps(List<RecordedTerm> terms) {
        List<RecordedTerm> sorted = terms.stream()
                .sorted(Comparator.comparingLong(RecordedTerm::from))
                .toList();
        List<Overlap> overlaps = new ArrayList<>();
        for (int i = 0; i < sorted.size(); i++) {
            for (int j = i + 1;
                    j < sorted.size() && sorted.get(j).from() <= sorted.get(i).to();
                    j++) {
                overlaps.add(new Overlap(sorted.get(i), sorted.get(j)));
            }
        }
        return overlaps;
    }

    /** Terms whose token isn't above that of the term before. */
    static List<RecordedTerm> withoutGrowingToken(List<RecordedTerm> terms) {
        List<RecordedTerm> sorted = terms.stream()
                .sorted(Comparator.comparingLong(RecordedTerm::from))
                .toList();
        List<RecordedTerm> bad = new ArrayList<>();
        for (int i = 1; i < sorted.size(); i++) {
            if (sorted.get(i).token() <= sorted.get(i - 1).token()) {
                bad.add(sorted.get(i));
            }
        }
        return bad;
    }
}
