package io.cle.spring.onleader;

/**
 * What an {@link OnLeader} annotation names.
 *
 * @param lease the lease; empty when none is named
 * @param controller the controller; empty when none is named
 */
record OnLeaderTarget(String lease, String controller) {

    static OnLeaderTarget of(OnLeader annotation, String place) {
        if (!annotation.lease().isEmpty() && !annotation.controller().isEmpty()) {
            throw new OnLeaderUsageException(
                    place,
                    "names both the lease '" + annotation.lease() + "' and the controller '" + annotation.controller()
                            + "'",
                    "Keep one of them; a controller's lease follows from its assignment.");
        }
        return new OnLeaderTarget(annotation.lease(), annotation.controller());
    }

    /** This target, or the other one where this names nothing. */
    OnLeaderTarget or(OnLeaderTarget other) {
        return lease.isEmpty() && controller.isEmpty() ? other : this;
    }
}
