package io.cle.spring.lock.internal;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;

import io.cle.CoordinatedLeaseLock;
import io.cle.Shard;
import io.cle.Term;
import io.cle.spring.lock.LeaseLocks;
import io.cle.spring.lock.Shards;
import org.jspecify.annotations.Nullable;

/**
 * The leases that an application joins, the default one first. It joins further leases because they are configured, and
 * the default one only if something uses it ({@link #main()}). Collections that were returned don't change. Thread-safe.
 */
public final class Leases {

    /** {@code null} if all are joined from the start. */
    private final @Nullable LeaseCreation creation;

    private final AtomicReference<@Nullable ApplicationLease> main = new AtomicReference<>();
    private final AtomicBoolean furtherAreCreated = new AtomicBoolean();
    private volatile Map<String, ApplicationLease> byName = Map.of();

    /** A part of the starter through which an application may use the default lease. */
    @FunctionalInterface
    public interface User {

        /** Returns whether the application uses the default lease through this part. */
        boolean usesMain();
    }

    /** Returns the leases of an application's locks. */
    public static Leases of(LeaseLocks locks) {
        if (locks instanceof Locks ours) {
            return ours.leases();
        }
        List<ApplicationLease> leases = new ArrayList<>();
        locks.asMap().forEach((name, lock) -> leases.add(new ApplicationLease(name, lock, null)));
        return new Leases(leases);
    }

    /** Creates leases lazily, when they are used. */
    public Leases(LeaseCreation creation) {
        this.creation = creation;
    }

    /**
     * Collects leases that are all joined.
     *
     * @param leases the default one first
     */
    public Leases(List<ApplicationLease> leases) {
        creation = null;
        furtherAreCreated.set(true);
        leases.stream().findFirst().ifPresent(main::set);
        add(leases);
    }

    private LeaseCreation creation() {
        return Objects.requireNonNull(creation, "there are no leases");
    }

    /** Returns all leases by their names in this application, the default one first. */
    public Map<String, ApplicationLease> byName() {
        // Not under a monitor: locks are created, which may need beans that another thread creates.
        if (!furtherAreCreated.get()) {
            Collection<ApplicationLease> further = creation().further();
            if (furtherAreCreated.compareAndSet(false, true)) {
                add(further);
            }
        }
        return byName;
    }

    /** Returns all leases, the default one first. */
    public Collection<ApplicationLease> all() {
        return byName().values();
    }

    /** Joins the default lease, if it isn't joined yet, and returns it. */
    public ApplicationLease main() {
        ApplicationLease known = main.get();
        return known == null ? joinMain(creation().main()) : known;
    }

    /** Joins the default lease with the lock that has been created for it. */
    ApplicationLease mainIsCreated(CoordinatedLeaseLock lock) {
        return joinMain(creation().main(lock));
    }

    private ApplicationLease joinMain(ApplicationLease created) {
        if (main.compareAndSet(null, created)) {
            add(List.of());
        }
        return Objects.requireNonNull(main.get());
    }

    /** Joins the default lease if something uses it. */
    void joinMainIfUsed() {
        if (main.get() == null && creation().mainIsUsed()) {
            main();
        }
    }

    /** Returns the name of the default lease, even if this application doesn't join it. */
    public String mainName() {
        ApplicationLease known = main.get();
        return known == null ? creation().mainName() : known.name();
    }

    /** Returns whether there is a lease with a {@linkplain ApplicationLease#commonName() common name}; joins the default lease if it has the name. */
    public boolean has(String commonName) {
        if (!commonNames().contains(commonName)) {
            joinMainIfUsed();
            if (commonName.equals(mainName())) {
                main();
            }
        }
        return commonNames().contains(commonName);
    }

    /** Finds a lease by its name in this application. */
    public Optional<ApplicationLease> find(String name) {
        return Optional.ofNullable(byName().get(name));
    }

    /** Returns the leases with a {@linkplain ApplicationLease#commonName() common name}: the shards in order, or the lease itself if it has none. */
    public List<ApplicationLease> of(String commonName) {
        return all().stream()
                .filter(lease -> lease.commonName().equals(commonName))
                .toList();
    }

    /**
     * Returns the shards of a lease.
     *
     * @param name the name of the lease in this application
     * @throws IllegalStateException if it has none, because the application provides its own locks
     */
    public Shards shardsOf(String name) {
        List<ApplicationLease> shards =
                of(name).stream().filter(lease -> lease.shard().isPresent()).toList();
        if (shards.isEmpty()) {
            throw new IllegalStateException("the lease '" + name + "' has no shards, although cle.leases." + name
                    + ".shards is set: the application's own LeaseLocks bean has none; there are " + commonNames());
        }
        return new ShardsOfLease(shards);
    }

    /** Returns the common names of the leases, to which work is assigned, the default one's first. */
    public Set<String> commonNames() {
        return all().stream().map(ApplicationLease::commonName).collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /**
     * Returns the lease of a name.
     *
     * @throws IllegalArgumentException if there is no such lease; the message lists the existing ones
     */
    public ApplicationLease get(String name) {
        return find(name).orElseThrow(() -> {
            List<ApplicationLease> shards = of(name);
            return new IllegalArgumentException(
                    shards.isEmpty()
                            ? "there is no lease '" + name + "'; there are " + byName().keySet()
                            : "the lease '" + name + "' is led in " + shards.size()
                                    + " parts, each of which is a lease: "
                                    + shards.get(0).name() + " and so on");
        });
    }

    /**
     * Returns the lock of a lease. If it is the default lease, this application joins it.
     *
     * @throws IllegalArgumentException if there is no such lease; the message lists the existing ones
     */
    public CoordinatedLeaseLock lock(String name) {
        has(name);
        return get(name).lock();
    }

    /** Returns the locks of these leases. */
    public LeaseLocks locks() {
        return new Locks(this);
    }

    /** Adds further leases, and the default one if it is joined. */
    private synchronized void add(Collection<ApplicationLease> further) {
        Map<String, ApplicationLease> all = new LinkedHashMap<>();
        ApplicationLease first = main.get();
        if (first != null) {
            all.put(first.name(), first);
        }
        all.putAll(byName);
        further.forEach(lease -> all.put(lease.name(), lease));
        byName = Collections.unmodifiableMap(all);
    }

    /** The locks of leases. Getting the lock of the default lease makes this process join it. */
    private record Locks(Leases leases) implements LeaseLocks {

        @Override
        public CoordinatedLeaseLock main() {
            return leases.main().lock();
        }

        @Override
        public String mainName() {
            return leases.mainName();
        }

        @Override
        public CoordinatedLeaseLock get(String name) {
            return leases.lock(name);
        }

        @Override
        public Optional<CoordinatedLeaseLock> find(String name) {
            leases.has(name);
            return leases.find(name).map(ApplicationLease::lock);
        }

        @Override
        public Set<String> names() {
            Set<String> names = new LinkedHashSet<>(Set.of(leases.mainName()));
            names.addAll(leases.byName().keySet());
            return Collections.unmodifiableSet(names);
        }

        @Override
        public Map<String, CoordinatedLeaseLock> asMap() {
            leases.main();
            Map<String, CoordinatedLeaseLock> locks = new LinkedHashMap<>();
            leases.all().forEach(lease -> locks.put(lease.name(), lease.lock()));
            return Collections.unmodifiableMap(locks);
        }
    }

    /**
     * The shards of one lease.
     *
     * @param leases one per shard, in order
     */
    private record ShardsOfLease(List<ApplicationLease> leases) implements Shards {

        @Override
        public int count() {
            return leases.size();
        }

        @Override
        public Set<Shard> held() {
            return leases.stream()
                    .filter(lease -> lease.lock().isLeader())
                    .flatMap(lease -> lease.shard().stream())
                    .collect(Collectors.collectingAndThen(
                            Collectors.toCollection(LinkedHashSet::new), Collections::unmodifiableSet));
        }

        @Override
        public Shard shardOf(String key) {
            return Shard.of(key, count());
        }

        @Override
        public Optional<Term> term(String key) {
            ApplicationLease lease = leaseOf(key);
            return lease.lock().term().map(lease::withShard);
        }

        @Override
        public Optional<String> leaderOf(String key) {
            return leaseOf(key).lock().leader();
        }

        private ApplicationLease leaseOf(String key) {
            return leases.get(shardOf(key).index());
        }
    }
}
