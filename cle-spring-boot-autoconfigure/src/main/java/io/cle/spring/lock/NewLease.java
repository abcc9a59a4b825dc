package io.cle.spring.lock;

import java.util.LinkedHashMap;
import java.util.Map;

import io.cle.Term;

/**
 * A lease to be created at run time: its properties, and the work that it leads. Immutable; each method returns a changed copy.
 *
 * @see RuntimeLeases
 */
public final class NewLease {

    /** Work that runs while this process leads. */
    @FunctionalInterface
    public interface Work {

        /**
         * Performs the work. Should return soon after its thread is interrupted, because the lease is not released before.
         *
         * @param term the current term, whose fencing token belongs on every write to another system
         * @throws Exception if the work fails
         */
        void run(Term term) throws Exception;
    }

    private final String name;
    private final Map<String, String> properties;
    private final Map<String, Work> work;

    private NewLease(String name, Map<String, String> properties, Map<String, Work> work) {
        this.name = name;
        this.properties = Map.copyOf(properties);
        this.work = Map.copyOf(work);
    }

    /** Returns a lease that differs from the default one only by its name. */
    public static NewLease named(String name) {
        return new NewLease(name, Map.of(), Map.of());
    }

    /**
     * Sets a property.
     *
     * @param key as under {@code cle.leases.<name>}, for example {@code namespace} or {@code candidate.priority}
     */
    public NewLease property(String key, String value) {
        Map<String, String> all = new LinkedHashMap<>(properties);
        all.put(key, value);
        return new NewLease(name, all, work);
    }

    /**
     * Adds work that runs whenever this process leads, on a thread of its own that is interrupted when the term ends. Work that throws runs
     * again in the same term, after a delay that grows.
     *
     * @param name for logs, the endpoint and the meters
     */
    public NewLease work(String name, Work action) {
        Map<String, Work> all = new LinkedHashMap<>(work);
        all.put(name, action);
        return new NewLease(this.name, properties, all);
    }

    /**
     * Returns the name of the lease in this application. It is also the name of the Lease object, unless the property {@code lease-name}
     * sets another one.
     */
    public String name() {
        return name;
    }

    /** Returns the properties that differ from the default lease's, by the keys that are used under {@code cle.leases.<name>}. */
    public Map<String, String> properties() {
        return properties;
    }

    /** Returns the work that runs while this process leads, by the names that the endpoint and the meters show. */
    public Map<String, Work> work() {
        return work;
    }
}
