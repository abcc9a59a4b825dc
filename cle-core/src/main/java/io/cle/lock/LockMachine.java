package io.cle.lock;

import io.cle.model.Moment;

/**
 * The lock of one process on one lease as a state machine. Pure: {@link #step} is a function of its arguments.
 *
 * <p>A process stands by until it may claim the lease: because a coordinator has granted it, or because the lease is free and
 * it races for it. The success of the claim begins a term (lock's rule 1). The term is renewed until it is lost or ends; then it
 * is drained and the lease handed over (rules 2 to 4), and the process stands by again (rule 6).
 */
public final class LockMachine {

    private LockMachine() {}

    /**
     * What becomes of a state by an event.
     *
     * @param now the moment of the event; never earlier than that of the step before
     */
    public static Transition step(LockConfig config, LockState state, LockEvent event, Moment now) {
        return new LockStep(config, state.copy(), now).handle(event);
    }
}
