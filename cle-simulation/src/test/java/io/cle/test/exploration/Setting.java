package io.cle.test.exploration;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.cle.KeyComparison;
import io.cle.Timings;
import io.cle.election.internal.ElectionPolicy;
import io.cle.lock.internal.LockConfig;
import io.cle.model.Candidate;
import io.cle.model.ObjectKey;
import io.cle.test.exploration.Move.Edit;
import io.cle.test.exploration.Move.Kind;

/**
 * What is explored.
 *
 * <p>Time is discrete, in ticks of a second; the timings are the smallest whose durations all differ: a lease of three ticks, a renew
 * deadline of two, a request timeout and a retry period of one. Immutable.
 */
@SuppressWarnings("EnumOrdinal") // what has happened is packed into one number, and unpacked by the same program
final class Setting {

    static final ObjectKey LEASE = new ObjectKey("shop", "orders");
    static final long SECOND = 1_000_000_000L;
    static final Timings TIMINGS = new Timings(Duration.ofSeconds(3), Duration.ofSeconds(2), Duration.ofSeconds(1));
    static final Duration DRAIN_TIMEOUT = Duration.ofSeconds(2);
    static final ElectionPolicy POLICY = new ElectionPolicy(Duration.ofSeconds(1), Duration.ofSeconds(3));

    /** For how many ticks a process is paused, its watch silent or its work slow to stop, at most. */
    static final int LONGEST_FAULT = 4;

    /** The duration to which an edit lengthens a lease, in seconds. */
    static final int LONGEST_EDITED = 5;

    /**
     * The longest duration, in seconds, in place of 68 years: it is just as far beyond any exploration, and the
     * clocks' numbers leave room for no more.
     */
    static final int LONGEST = 1_000_000;

    /** Within how many ticks without faults some process leads. */
    static final int LEADER_WITHIN = 12;

    /**
     * The clock rate at which a standby acquires the lease in the very tick in which the leader's validity ends: two ticks after the last
     * renewal, by a lease of three seconds and up to 150 ms of jitter. A little faster would make no difference, because processes move at ticks
     * only; twice as fast is a tick too early.
     */
    private static final long FASTEST = 1_600_000_000L;

    private static final List<int[]> TWO = List.of(new int[] {0, 1}, new int[] {1, 0});
    private static final List<int[]> THREE = List.of(
            new int[] {0, 1, 2},
            new int[] {0, 2, 1},
            new int[] {1, 0, 2},
            new int[] {1, 2, 0},
            new int[] {2, 0, 1},
            new int[] {2, 1, 0});

    /** The chosen hash, from which the jitter is derived. */
    private static final int SPREAD = 0x8000;

    /** More starts than any process has; a twin's nonces begin there. */
    private static final int MOST_STARTS = 8;

    private static final Map<String, String> NONCES = new ConcurrentHashMap<>();

    /** The first number drawn for a write, from which its id is made. */
    static final long FIRST_WRITE = 0x7EA5_0000_0000_0000L;

    /** Kinds and edits together are fewer than the bits of a long. */
    private static final int KINDS = Kind.values().length;

    private static final String IDS_OF_WRITES = "7ea5";
    private static final int LENGTH_OF_WRITE = 16;

    /** How a leader is elected. */
    enum Cluster {
        /** They race for the record. */
        RACE,
        /** They race for the record, and those of higher keys preempt those of lower ones. */
        PRIORITIZED,
        /** A coordinator elects. */
        COORDINATED
    }

    /** Where histories begin. */
    enum Begin {
        /** There is a leader, and all processes know it. */
        SETTLED(""),
        /** The first process leads, and the others are about to be started. */
        FIRST_LEADS(", the first one leads"),
        /** The first process leads and pauses, the second one is about to be started, and the third one is started at the beginning of any tick. */
        FIRST_PAUSES(", the first one leads and pauses, and the third one comes later"),
        /** No process has been started, and there is no record. */
        FIRST_START(", from the start"),
        /** No process has been started, and the record names a holder that doesn't exist, for the longest duration. */
        GHOST_LEASE(", a ghost holds the lease");

        private final String text;

        Begin(String text) {
            this.text = text;
        }

        boolean hasLeader() {
            return this != FIRST_START && this != GHOST_LEASE;
        }
    }

    /** All faults, unless a setting names its own. Stopping and copying a process have settings of their own. */
    static final Set<Kind> ANY_FAULT = EnumSet.of(
            Kind.LOSE, Kind.DELAY, Kind.SILENCE, Kind.BREAK_WATCH, Kind.PAUSE, Kind.CRASH, Kind.SLOW_WORK, Kind.RESIGN);

    /** All edits of an administrator but the line that ends all claims, which is written where nothing else helps. */
    static final Set<Edit> ANY_EDIT = anyEdits();

    /** Edits of a record that stays the same object. */
    static final Set<Edit> EDITS_OF_FIELDS = EnumSet.range(Edit.CLEAR_HOLDER, Edit.SET_NO_COORDINATION);

    private static final Set<Edit> UNMARKING = unmarkingEdits();

    private static Set<Edit> anyEdits() {
        Set<Edit> any = EnumSet.range(Edit.CLEAR_HOLDER, Edit.SET_NO_COORDINATION);
        any.addAll(EnumSet.range(Edit.REPLACE_BY_BARE, Edit.LINE_IN_TERM));
        any.add(Edit.END_CLAIMS_OF_OLD);
        return any;
    }

    private static Set<Edit> unmarkingEdits() {
        Set<Edit> unmarking = EnumSet.of(
                Edit.DELETE,
                Edit.REMOVE_TERM_ANNOTATION,
                Edit.REMOVE_ALL_ANNOTATIONS,
                Edit.END_CLAIMS,
                Edit.END_CLAIMS_OF_OLD);
        unmarking.addAll(EnumSet.range(Edit.REPLACE_BY_BARE, Edit.RECREATE_GRANT));
        return unmarking;
    }

    private final Cluster cluster;
    private final int faults;
    private int processes = 2;
    private Set<Kind> kinds = ANY_FAULT;
    private Set<Edit> edits = ANY_EDIT;
    private List<Long> nanosPerTick = List.of(SECOND, SECOND, SECOND, SECOND);
    private List<Timings> timings = List.of(TIMINGS, TIMINGS, TIMINGS);
    private Begin begin = Begin.SETTLED;
    private boolean eachOnce;
    private List<Family> families = List.of();
    private int horizon;
    private boolean copies;
    private boolean twins;
    private boolean exactTimes;

    private Setting(Cluster cluster, int faults) {
        this.cluster = cluster;
        this.faults = faults;
    }

    /**
     * Two processes whose clocks and timings are alike, and a leader that both know.
     *
     * @param faults the most faults in a history
     */
    static Setting of(Cluster cluster, int faults) {
        return new Setting(cluster, faults);
    }

    private Setting changed(Consumer<Setting> change) {
        Setting copy = new Setting(cluster, faults);
        copy.processes = processes;
        copy.kinds = kinds;
        copy.edits = edits;
        copy.nanosPerTick = nanosPerTick;
        copy.timings = timings;
        copy.begin = begin;
        copy.eachOnce = eachOnce;
        copy.families = families;
        copy.horizon = horizon;
        copy.copies = copies;
        copy.twins = twins;
        copy.exactTimes = exactTimes;
        change.accept(copy);
        return copy;
    }

    /** The clocks of the other processes run faster than the first one's, by as much as is tolerated. */
    Setting withClocksAtTheLimit() {
        return changed(copy -> copy.nanosPerTick = List.of(SECOND, FASTEST, SECOND, SECOND));
    }

    /** They run faster than is tolerated. */
    Setting withClocksBeyondTheLimit() {
        return changed(copy -> copy.nanosPerTick = List.of(SECOND, 2 * FASTEST, SECOND, SECOND));
    }

    Setting from(Begin beginning) {
        return changed(copy -> copy.begin = beginning);
    }

    Setting withProcesses(int count) {
        return changed(copy -> copy.processes = count);
    }

    /** The same with the fault that a process is copied, once. */
    Setting withCopies() {
        return changed(copy -> copy.copies = true);
    }

    /** The last process has the identity of the first one; where candidates race. */
    Setting withTwins() {
        return changed(copy -> copy.twins = true);
    }

    /** Only these faults happen, and no record is edited. */
    Setting only(Kind... faultKinds) {
        return changed(copy -> {
            copy.kinds = Set.of(faultKinds);
            copy.edits = Set.of();
        });
    }

    /** Of all edits, only these are made. */
    Setting edits(Edit... chosen) {
        return changed(copy -> copy.edits = Set.of(chosen));
    }

    /** Only edits of a record that stays the same object are made. */
    Setting editsOfFields() {
        return changed(copy -> copy.edits = EDITS_OF_FIELDS);
    }

    /** The timings of the first process, and those of the others. */
    Setting withTimings(Timings first, Timings others) {
        return changed(copy -> copy.timings = List.of(first, others, others));
    }

    /** Distinguishes states by the distance of their wall clock times from now, unless these are long ago. */
    Setting withExactTimes() {
        return changed(copy -> copy.exactTimes = true);
    }

    /** Each kind of fault, and each edit, happens at most once in a history. */
    Setting eachOnce() {
        return changed(copy -> copy.eachOnce = true);
    }

    /**
     * Only faults of these families happen, for each family at most as often as it is listed.
     *
     * @param chosen as many as there are faults
     */
    Setting of(List<Family> chosen) {
        if (chosen.size() != faults) {
            throw new IllegalArgumentException(faults + " faults can't be of " + chosen);
        }
        return changed(copy -> {
            copy.families = chosen;
            copy.kinds = EnumSet.noneOf(Kind.class);
            copy.edits = EnumSet.noneOf(Edit.class);
            for (Family family : chosen) {
                copy.kinds.addAll(family.kinds());
                copy.edits.addAll(family.edits());
            }
            copy.kinds.retainAll(kinds);
            copy.edits.retainAll(edits);
        });
    }

    /** Divides this setting into settings that together follow the same histories, each with faults of a few families. */
    List<Setting> byFamilies() {
        Stream<Family> mayHappen = Stream.of(Family.values())
                .filter(family ->
                        !Collections.disjoint(family.kinds(), kinds) || !Collections.disjoint(family.edits(), edits))
                // Where candidates race without keys, no process is asked anything.
                .filter(family -> cluster != Cluster.RACE || family != Family.REQUESTS);
        return Family.choices(faults, mayHappen.toList()).stream().map(this::of).toList();
    }

    /** Histories end after so many ticks. */
    Setting within(int ticks) {
        return changed(copy -> copy.horizon = ticks);
    }

    // ---- what it is ----------------------------------------------------------------------------------------------

    Cluster cluster() {
        return cluster;
    }

    int processes() {
        return processes;
    }

    /** The most faults in a history. */
    int faults() {
        return faults;
    }

    Begin begin() {
        return begin;
    }

    /** Whether a process may be copied, once, as a fault. */
    boolean copies() {
        return copies;
    }

    /** Whether it is another process of the first one's identity. */
    boolean isTwin(int process) {
        return twins && process == processes - 1;
    }

    boolean exactTimes() {
        return exactTimes;
    }

    /**
     * Whether a kind of fault may still happen.
     *
     * @param happened what has happened, by {@link #noted}
     */
    boolean mayHappen(Kind kind, long happened) {
        return kinds.contains(kind) && !(eachOnce && (happened & bit(kind)) != 0) && anyFamilyLeft(kind, happened);
    }

    /** Whether an edit may still be made. */
    boolean mayHappen(Edit edit, long happened) {
        return edits.contains(edit) && !(eachOnce && (happened & bit(edit)) != 0) && anyFamilyLeft(edit, happened);
    }

    private boolean anyFamilyLeft(Object fault, long happened) {
        if (families.isEmpty()) {
            return true;
        }
        long left = -(happened >>> shift(fault) & 0xf);
        for (Family family : families) {
            left += family.kinds().contains(fault) || family.edits().contains(fault) ? 1 : 0;
        }
        return left > 0;
    }

    /** What has happened, as far as it decides what may still happen. */
    long noted(long happened, Kind kind) {
        return eachOnce ? happened | bit(kind) : noted(happened, (Object) kind);
    }

    /** What has happened, as far as it decides what may still happen. */
    long noted(long happened, Edit edit) {
        return eachOnce ? happened | bit(edit) : noted(happened, (Object) edit);
    }

    private long noted(long happened, Object fault) {
        return families.isEmpty() ? happened : happened + (1L << shift(fault));
    }

    /** The bit where its family's faults are counted. */
    private static int shift(Object fault) {
        for (Family family : Family.values()) {
            if (family.kinds().contains(fault) || family.edits().contains(fault)) {
                return 4 * family.ordinal();
            }
        }
        throw new IllegalStateException(fault + " belongs to no family");
    }

    private static long bit(Kind kind) {
        return 1L << kind.ordinal();
    }

    private static long bit(Edit edit) {
        return 1L << (KINDS + edit.ordinal());
    }

    /** After how many ticks histories end; 0 if they don't. */
    int horizon() {
        return horizon;
    }

    /** Whether an edit may still be made. */
    boolean edits(long happened) {
        return edits.stream().anyMatch(edit -> mayHappen(edit, happened));
    }

    /** Whether an edit may still remove all signs of a running term. */
    boolean unmarks(long happened) {
        return UNMARKING.stream().anyMatch(edit -> mayHappen(edit, happened));
    }

    /** Whether a process has the longest lease duration, so that only the administrator's line ends its claims. */
    boolean hasLongTerms() {
        return timings.stream().anyMatch(each -> each.leaseDuration().toSeconds() == LONGEST);
    }

    /** How many nanoseconds pass within a tick by the monotonic clock of each process. */
    List<Long> nanosPerTick() {
        return nanosPerTick;
    }

    /** The timings of a process. */
    Timings timings(int process) {
        return timings.get(process);
    }

    /**
     * Longer than all durations that a machine adds to a past instant, so that all instants before that are equivalent. The longest is the lease
     * duration of an edit, or of a process. With keys it is four hold-offs of a process that has yielded once.
     */
    long longAgo() {
        long lease = timings.stream()
                .mapToLong(each -> each.leaseDuration().toSeconds())
                .max()
                .orElseThrow();
        return (1 + (cluster == Cluster.PRIORITIZED ? 8 * lease : Math.max(LONGEST_EDITED, lease))) * SECOND;
    }

    /** The renamings of processes that make no difference: all if the processes are alike, otherwise the one in which each keeps its name. */
    List<int[]> renamings() {
        List<int[]> all = processes == 2 ? TWO : THREE;
        boolean namedAlike = edits.contains(Edit.NAME_A) == edits.contains(Edit.NAME_B)
                && (processes < 3 || edits.contains(Edit.NAME_A) == edits.contains(Edit.NAME_C));
        boolean alike = cluster == Cluster.RACE
                && !twins
                && namedAlike
                && nanosPerTick.stream().distinct().count() == 1
                && timings.stream().distinct().count() == 1;
        return alike ? all : all.subList(0, 1);
    }

    /**
     * The nonce of a process after this many starts. All nonces give the same jitter: being shorter than a tick, it can't affect what happens,
     * but different ones would change the instants in a state.
     */
    String nonce(int process, int starts) {
        int number = isTwin(process) ? MOST_STARTS + starts : starts;
        return NONCES.computeIfAbsent(identity(process) + number, unused -> findNonce(identity(process), number));
    }

    private static String findNonce(String identity, int number) {
        int found = 0;
        int tried = 0;
        String nonce = "";
        while (found < number) {
            nonce = "n" + ++tried;
            found += ((identity + '/' + nonce).hashCode() * 0x9E3779B9) >>> 16 == SPREAD ? 1 : 0;
        }
        return nonce;
    }

    /** Whether a text is a nonce, or the id of a write. */
    static boolean isName(String text) {
        boolean nonce = text.length() > 1 && text.charAt(0) == 'n' && Character.isDigit(text.charAt(1));
        return nonce || (text.length() == LENGTH_OF_WRITE && text.startsWith(IDS_OF_WRITES));
    }

    /** Whether a text is the identity of a process. */
    static boolean isIdentity(String text) {
        return text.length() == 1 && text.charAt(0) >= 'a' && text.charAt(0) <= 'c';
    }

    boolean coordinated() {
        return cluster == Cluster.COORDINATED;
    }

    /** The identity of a process: {@code a}, {@code b}, {@code c}; of a twin the first one's. */
    String identity(int process) {
        return String.valueOf((char) ('a' + (isTwin(process) ? 0 : process)));
    }

    LockConfig config(int process) {
        Candidate template = candidate(process);
        return new LockConfig(
                LEASE,
                identity(process),
                timings.get(process),
                DRAIN_TIMEOUT,
                new LockConfig.Fallback(coordinated(), coordinated() ? Duration.ofSeconds(3) : Duration.ZERO),
                coordinated() ? new LockConfig.Candidacy(template, Duration.ofMinutes(5)) : null,
                cluster == Cluster.PRIORITIZED
                        ? new LockConfig.Takeover(
                                String.valueOf(process + 1), KeyComparison.largestNumber(), Duration.ofSeconds(1))
                        : null,
                Duration.ofNanos(1000));
    }

    /** A process's candidate: each has a higher priority than the one before, so that terms end in its favour. */
    Candidate candidate(int process) {
        return Candidate.builder(new ObjectKey(LEASE.namespace(), identity(process)), LEASE)
                .priority(process + 1)
                .strategy("HighestPriority")
                .build();
    }

    @Override
    public String toString() {
        String slowest = nanosPerTick.get(1) == SECOND ? "" : ", clocks at a ratio of " + nanosPerTick.get(1) / 1e9;
        String durations =
                timings.stream().distinct().count() == 1 && timings.get(0).equals(TIMINGS)
                        ? ""
                        : ", leases of " + timings.get(0).leaseDuration().toSeconds() + " s and "
                                + timings.get(1).leaseDuration().toSeconds() + " s";
        return cluster + ", " + processes + " processes, " + faults + (faults == 1 ? " fault" : " faults")
                + faultsText()
                + slowest
                + durations
                + begin.text
                + (horizon == 0 ? "" : ", within " + horizon + (horizon == 1 ? " tick" : " ticks"))
                + (copies ? ", a process may be copied" : "")
                + (twins ? ", two of one identity" : "")
                + (exactTimes ? ", times count by their distance" : "");
    }

    private String faultsText() {
        if (!families.isEmpty()) {
            return " of " + families.stream().map(Family::toString).collect(Collectors.joining(", "));
        }
        if (kinds.equals(ANY_FAULT) && edits.equals(ANY_EDIT)) {
            return "";
        }
        List<String> text = new ArrayList<>();
        kinds.stream().sorted().forEach(kind -> text.add(kind.toString()));
        if (edits.equals(ANY_EDIT)) {
            text.add("any edit");
        } else if (edits.equals(EDITS_OF_FIELDS)) {
            text.add("edits of fields");
        } else {
            edits.stream().sorted().forEach(edit -> text.add(edit.toString()));
        }
        return " of " + String.join(", ", text) + (eachOnce ? ", each once" : "");
    }
}
