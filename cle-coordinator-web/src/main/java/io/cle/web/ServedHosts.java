package io.cle.web;

import java.util.Set;
import java.util.function.IntSupplier;

/**
 * By what names the web server of a process is asked for.
 *
 * @param names Host names, beside those of the loopback interface and those of {@code cle.coordinator.page.hosts}
 * @param openPort the port on which it answers under any name, as it shows nothing there; -1 if there is none
 */
public record ServedHosts(Set<String> names, IntSupplier openPort) {

    /** The names of the loopback interface alone, on every port. */
    static final ServedHosts LOOPBACK = new ServedHosts(Set.of(), () -> -1);

    /** The names that a Service of the cluster has, within its namespace and outside of it. */
    public static Set<String> ofService(String service, String namespace) {
        String name = service + "." + namespace;
        return Set.of(service, name, name + ".svc", name + ".svc.cluster.local");
    }
}
