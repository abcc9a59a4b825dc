package io.cle.test.exploration;

/**
 * A move from one state to the next.
 *
 * @param on the process, or the coordinator ({@link World.Message#COORDINATOR})
 * @param argument which message or edit; 0 where there is no choice
 */
record Move(Kind kind, int on, int argument) {

    /** What can happen. */
    enum Kind {
        /** A request reaches the API server. */
        REQUEST_ARRIVES(true),
        /** An answer reaches the process that waits for it. */
        ANSWER_ARRIVES(true),
        /** The watch delivers its next event. */
        OBSERVES(true),
        /** A wake-up that the machine asked for is due. */
        WAKES_UP(true),
        /** No answer has come within the request timeout. */
        TIMES_OUT(true),
        /** The work of the ended term has stopped. */
        WORK_STOPS(true),
        /** The candidate acknowledges. */
        ACKNOWLEDGES(true),
        /** The next tick begins; only once nothing else is due. */
        NEXT_TICK(true),

        /** A delayed request or answer is to arrive within this tick. */
        ARRIVES_LATE(false),
        RESUMES(false),
        /** A silent watch delivers again, late but complete. */
        WATCH_RESUMES(false),
        /** A silent watch breaks, and another one begins with a list. */
        WATCH_RESTARTS(false),
        /** A process that has crashed, or was stopped, is started again. */
        RESTARTS(false),
        /** An unfit application is fit again. */
        FIT(false),
        /** Work that was slow to stop is about to stop. */
        SLOW_WORK_STOPS(false),
        /** A coordinator pings the candidate. */
        IS_PINGED(false),

        LOSE(false),
        DELAY(false),
        SILENCE(false),
        /** The watch breaks, and another one begins with a list at once. */
        BREAK_WATCH(false),
        PAUSE(false),
        CRASH(false),
        SLOW_WORK(false),
        RESIGN(false),
        /** The process is stopped in good order: its work ends, and it releases the lease. */
        STOP(false),
        /** The API server no longer serves the API in use: the process starts over with another one. */
        REPLACE_API(false),
        /** The application is unfit to lead. */
        UNFIT(false),
        /** Another coordinator takes over, which knows only what it lists. */
        REPLACE_COORDINATOR(false),
        /** The process is copied with its memory, and no process learns of it. */
        COPY(false),
        EDIT(false);

        /** Whether it happens within the tick, as long as there is no fault. */
        final boolean prompt;

        Kind(boolean prompt) {
            this.prompt = prompt;
        }

        boolean fault() {
            return compareTo(LOSE) >= 0;
        }
    }

    /** Edits of an administrator, and writes of an elector that doesn't keep this project's rules. */
    enum Edit {
        CLEAR_HOLDER,
        NAME_A,
        NAME_B,
        /** Of three processes. */
        NAME_C,
        NAME_GHOST,
        REMOVE_TERM_ANNOTATION,
        REMOVE_ALL_ANNOTATIONS,
        DELETE,
        SHORTEN_DURATION,
        LENGTHEN_DURATION,
        ASK_TO_YIELD_TO_A,
        ASK_TO_YIELD_TO_B,
        ASK_TO_YIELD_TO_GHOST,
        SET_NO_COORDINATION,
        /** An elector of client-go. */
        NAME_ELECTOR,
        /** client-go's elector acquires a lease that has no holder, as it does at once, and leaves the annotations alone. It crashes. */
        ELECTOR_ACQUIRES,
        /** It acquires the lease, or renews it if it was named, and releases it at once. */
        ELECTOR_COMES_AND_GOES,

        /** The object is replaced by one with only a name. It keeps its uid. */
        REPLACE_BY_BARE,
        /** The record of the term at the beginning, or else the first one of a term, is put back as the next version of the same object. */
        PUT_BACK_TERM,
        /** The same with the first release. */
        PUT_BACK_RELEASE,
        /** The same with the first grant. */
        PUT_BACK_GRANT,
        /** The object is deleted, and created with only a name. */
        RECREATE_BARE,
        RECREATE_TERM,
        RECREATE_RELEASE,
        RECREATE_GRANT,
        REMOVE_ACQUIRE_TIME,
        REMOVE_RENEW_TIME,
        /** All fields of the spec are removed; annotations stay. */
        REMOVE_SPEC,
        /** The duration is the longest one that the API server accepts. */
        SET_LONGEST_DURATION,
        /** The duration is what the processes are configured with. */
        CORRECT_DURATION,
        /** In the annotation of a term, the duration is a second. */
        SHORTEN_TERM,
        /** In the annotation of a term, everything before the present version is ended, as by the line that ends all claims. */
        LINE_IN_TERM,
        /** The documented line that ends all claims; only when no process leads or can begin a term by an earlier write. */
        END_CLAIMS,
        /** The same line with an old version. */
        END_CLAIMS_OF_OLD;

        /** Whether the object is deleted and created, so that it has another uid. */
        boolean recreates() {
            return compareTo(RECREATE_BARE) >= 0 && compareTo(RECREATE_GRANT) <= 0;
        }

        /** Whether it is possible without an object. */
        boolean creates() {
            return compareTo(REPLACE_BY_BARE) >= 0 && compareTo(PUT_BACK_GRANT) <= 0;
        }
    }

    /** In the argument of a move that sends a request: the request is lost. */
    static final int LOST = 0x80;

    /** In the argument of a move that sends a request: the request is delayed. */
    static final int DELAYED = 0x40;

    private static final Kind[] KINDS = Kind.values();

    @SuppressWarnings("EnumOrdinal") // in one run of one program, to keep a million histories in memory
    int encoded() {
        return (kind.ordinal() << 16) | ((on + 1) << 8) | argument;
    }

    static Move decoded(int code) {
        return new Move(KINDS[code >> 16], ((code >> 8) & 0xff) - 1, code & 0xff);
    }
}
