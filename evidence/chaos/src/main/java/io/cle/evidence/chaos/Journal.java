package io.cle.evidence.chaos;

import java.util.ArrayList;
import java.util.List;

/** Records the events of a run as they happen, by {@link System#nanoTime()}. Thread-safe. */
final class Journal {

    private final long begun = System.nanoTime();
    private final List<History.Start> starts = new ArrayList<>();
    private final List<History.Strike> faults = new ArrayList<>();
    private final List<Long> restores = new ArrayList<>();
    private long healed = -1;

    /** Records that a process is about to be started. */
    synchronized void starting(String process) {
        starts.add(new History.Start(micros(System.nanoTime()), process));
    }

    /** Records a fault that began at an instant and is over now. */
    synchronized void fault(long from, Fault fault, String target) {
        faults.add(new History.Strike(micros(from), micros(System.nanoTime()), fault, target));
    }

    /** Records that a restored state may be served from an instant on. */
    synchronized void restored(long at) {
        restores.add(micros(at));
    }

    /** Records that all faults are over. */
    synchronized void healed() {
        healed = micros(System.nanoTime());
    }

    /**
     * Returns the history of the run, which is over.
     *
     * @param terms the terms that the processes have recorded, by {@link System#nanoTime()}
     * @param writes the writes to the shared file, likewise
     */
    synchronized History history(long seed, List<RecordedTerm> terms, List<History.Write> writes) {
        return new History(
                seed,
                Worker.TIMINGS.leaseDuration().toNanos() / 1000,
                micros(System.nanoTime()),
                healed,
                List.copyOf(starts),
                terms.stream().map(this::inMicros).toList(),
                List.copyOf(faults),
                List.copyOf(restores),
                writes.stream()
                        .map(write ->
                                new History.Write(micros(write.at()), write.process(), write.token(), write.accepted()))
                        .toList());
    }

    /** Rounding never lengthens a term: two that don't overlap still don't. */
    private RecordedTerm inMicros(RecordedTerm term) {
        long from = -Math.floorDiv(begun - term.from(), 1000);
        return new RecordedTerm(term.process(), term.token(), from, Math.max(from, micros(term.to())));
    }

    private long micros(long nanos) {
        return Math.floorDiv(nanos - begun, 1000);
    }
}
