package io.cle.lock;

import java.util.Objects;

import io.cle.model.Lease;
import io.cle.model.Moment;
import org.jspecify.annotations.Nullable;

/**
 * How far a candidate of a direct lock has come in taking over from a holder of lower precedence (KEP-2835). Immutable.
 *
 * @param asking whether the holder has been asked by this process, and hasn't yielded yet
 * @param askedAt when it was asked, in monotonic nanoseconds
 * @param yields how often in a row this process has yielded to somebody of higher precedence soon after it had begun to lead
 * @param mark whose request stands on the record; {@code null} when nobody's does
 * @param holdOffUntil until when nobody is asked, in monotonic nanoseconds
 */
record TakeoverState(
        boolean asking,
        long askedAt,
        int yields,
        long holdOffUntil,
        @Nullable Mark mark) {

    /**
     * A request to yield, as it stands on the record.
     *
     * @param holder who is asked
     * @param asker who asks
     * @param since when it was seen first, in monotonic nanoseconds
     */
    record Mark(@Nullable String holder, @Nullable String asker, long since) {}

    static TakeoverState initial(long now) {
        return new TakeoverState(false, now, 0, now, null);
    }

    TakeoverState asked(long now) {
        return new TakeoverState(true, now, yields, holdOffUntil, mark);
    }

    TakeoverState settled() {
        return new TakeoverState(false, askedAt, yields, holdOffUntil, mark);
    }

    TakeoverState yielded(int inARow, long until) {
        return new TakeoverState(false, askedAt, inARow, until, mark);
    }

    /** What is known after the lease was seen. */
    TakeoverState seen(@Nullable Lease lease, Moment now) {
        if (lease == null || !lease.endOfTerm()) {
            return marked(null);
        }
        boolean known = mark != null
                && Objects.equals(mark.holder(), lease.holder())
                && Objects.equals(mark.asker(), lease.preferredHolder());
        return known ? this : marked(new Mark(lease.holder(), lease.preferredHolder(), now.nanos()));
    }

    private TakeoverState marked(@Nullable Mark next) {
        return new TakeoverState(asking, askedAt, yields, holdOffUntil, next);
    }
}
