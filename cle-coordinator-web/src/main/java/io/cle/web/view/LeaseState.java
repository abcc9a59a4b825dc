package io.cle.web.view;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** How a lease is doing, in the order in which an administrator should look at it. */
public enum LeaseState {
    /** No process leads, and no election is about to change that. */
    NO_LEADER("no leader"),
    /** No process leads yet; candidates are being asked, or the elected one is about to begin its term. */
    ELECTING("electing"),
    /** The leader was asked to yield to a better candidate. */
    HANDING_OVER("handing over"),
    /** A process leads, and something about the lease needs attention. */
    WARNING("warning"),
    /** A process leads that no coordinator has elected, or none is to elect. */
    LEFT_ALONE("left alone"),
    /** The elected process leads. */
    LED("led");

    private final String text;

    LeaseState(String text) {
        this.text = text;
    }

    /** For people. */
    public String text() {
        return text;
    }

    /** For URLs and style sheets: {@code no-leader}. */
    public String slug() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The state of a {@link #slug()}; empty when there is none. */
    public static Optional<LeaseState> of(String slug) {
        return Arrays.stream(values())
                .filter(state -> state.slug().equals(slug))
                .findFirst();
    }
}
