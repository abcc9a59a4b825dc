package io.cle.coordinator.control;

import io.cle.model.ObjectKey;
import io.cle.runtime.internal.coordinator.WorkQueue;
import io.kubernetes.client.extended.controller.Controller;
import io.kubernetes.client.extended.controller.DefaultController;
import io.kubernetes.client.extended.controller.reconciler.Request;
import org.springframework.beans.factory.ObjectProvider;

/**
 * The work queue of client-java's controller. Only its plain {@code add} is used: the delays of its rate limited one are whole milliseconds,
 * can't be cancelled, and what exceeds its room of a thousand is dropped without a word.
 */
public final class ControllerWorkQueue implements WorkQueue {

    private final ObjectProvider<Controller> controller;

    /**
     * A queue on a controller.
     *
     * @param controller not looked up before the first lease is added, because its reconciler needs the coordinator, which needs this queue
     */
    public ControllerWorkQueue(ObjectProvider<Controller> controller) {
        this.controller = controller;
    }

    @Override
    public void add(ObjectKey lease) {
        ((DefaultController) controller.getObject()).getWorkQueue().add(new Request(lease.namespace(), lease.name()));
    }
}
