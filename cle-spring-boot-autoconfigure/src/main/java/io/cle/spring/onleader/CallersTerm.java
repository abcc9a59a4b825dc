package io.cle.spring.onleader;

import org.jspecify.annotations.Nullable;

/** The bean of type {@link LeadershipTerm}: the term of the led work that the calling thread runs. */
final class CallersTerm implements LeadershipTerm {

    private static final ThreadLocal<@Nullable LeadershipTerm> CURRENT = new ThreadLocal<>();

    /** The term of the calling thread's run; {@code null} if it runs no led work. */
    static @Nullable LeadershipTerm ofThread() {
        return CURRENT.get();
    }

    /**
     * Makes a term the calling thread's.
     *
     * @param term {@code null} for none
     * @return the one before, to be put back when the run has ended; {@code null} if there was none
     */
    static @Nullable LeadershipTerm enter(@Nullable LeadershipTerm term) {
        LeadershipTerm previous = CURRENT.get();
        if (term == null) {
            CURRENT.remove();
        } else {
            CURRENT.set(term);
        }
        return previous;
    }

    @Override
    public String lease() {
        return running().lease();
    }

    @Override
    public long fencingToken() {
        return running().fencingToken();
    }

    @Override
    public boolean isValid() {
        LeadershipTerm term = CURRENT.get();
        return term != null && term.isValid();
    }

    @Override
    public void check() {
        running().check();
    }

    private static LeadershipTerm running() {
        LeadershipTerm term = CURRENT.get();
        if (term == null) {
            throw new TermEndedException("thread '" + Thread.currentThread().getName()
                    + "' runs no @OnLeader work, so it belongs to no term");
        }
        return term;
    }
}
