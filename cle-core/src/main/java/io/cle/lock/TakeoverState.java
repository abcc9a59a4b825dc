package io.cle.lock;

/**
 * How far a candidate of a direct lock has come in taking over from a holder of lower precedence (KEP-2835). Immutable.
 *
 * @param asking whether the holder has been asked by this process, and hasn't yielded yet
 * @param askedAt when it was asked, in monotonic nanoseconds
 * @param seizedUntil until when a holder that was overruled may still lead, in monotonic nanoseconds: so long no term begins
 * @param yields how often in a row this process has yielded to somebody of higher precedence soon after it had begun to lead
 * @param holdOffUntil until when nobody is asked, in monotonic nanoseconds
 */
record TakeoverState(boolean asking, long askedAt, long seizedUntil, int yields, long holdOffUntil) {

    static TakeoverState initial(long now) {
        return new TakeoverState(false, now, now, 0, now);
    }

    TakeoverState asked(long now) {
        return new TakeoverState(true, now, seizedUntil, yields, holdOffUntil);
    }

    TakeoverState seizing(long until) {
        return new TakeoverState(asking, askedAt, until, yields, holdOffUntil);
    }

    TakeoverState settled() {
        return new TakeoverState(false, askedAt, seizedUntil, yields, holdOffUntil);
    }

    TakeoverState yielded(int inARow, long until) {
        return new TakeoverState(false, askedAt, seizedUntil, inARow, until);
    }
}
