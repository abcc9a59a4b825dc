package io.cle;

import org.jspecify.annotations.Nullable;

/** The term of the led work that a thread runs. */
final class ThreadTerm {

    private static final ThreadLocal<@Nullable Term> CURRENT = new ThreadLocal<>();

    private ThreadTerm() {}

    static @Nullable Term get() {
        return CURRENT.get();
    }

    static @Nullable Term enter(@Nullable Term term) {
        Term previous = CURRENT.get();
        if (term == null) {
            CURRENT.remove();
        } else {
            CURRENT.set(term);
        }
        return previous;
    }
}
