package io.cle.lock.internal;

import java.util.List;

/**
 * What a step comes to.
 *
 * @param state the state from now on; to be put in force before the first action is carried out
 * @param actions what is to be done, in this order
 */
public record Transition(LockState state, List<LockAction> actions) {

    /** Keeps a copy of the actions. */
    public Transition {
        actions = List.copyOf(actions);
    }
}
