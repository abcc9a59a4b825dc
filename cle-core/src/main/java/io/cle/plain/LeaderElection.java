package io.cle.plain;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;

import io.cle.ApiFormat;
import io.cle.CoordinatedLeaseLock;
import io.cle.KeyComparison;
import io.cle.LeadershipListener;
import io.cle.OwnedLock;
import io.cle.Resignation;
import io.cle.ResourceLock;
import io.cle.Timings;
import io.cle.kubernetes.KubernetesAccess;
import io.cle.kubernetes.internal.client.LeaseClient;
import io.cle.kubernetes.internal.client.ObjectClient;
import io.cle.kubernetes.internal.discovery.FormatChoice;
import io.cle.kubernetes.internal.discovery.FormatDiscovery;
import io.cle.kubernetes.internal.transport.KubernetesTransport;
import io.cle.kubernetes.internal.transport.OkHttpTransport;
import io.cle.lock.internal.Entropy;
import io.cle.lock.internal.LeaseLock;
import io.cle.lock.internal.LockConfig;
import io.cle.lock.internal.LockStores;
import io.cle.lock.internal.LockThreads;
import io.cle.lock.internal.ProcessIdentity;
import io.cle.loop.internal.EventLoop;
import io.cle.migration.internal.NestedLock;
import io.cle.model.Candidate;
import io.cle.model.ObjectKey;
import io.kubernetes.client.openapi.ApiClient;
import org.jspecify.annotations.Nullable;

/**
 * Leader election without Spring: one lease, with its own threads and connections. Thread-safe.
 *
 * <pre>{@code
 * LeadershipListener work = ...; // begins work in onGranted, interrupts it in onRevoked, and reports its end in drained
 * try (LeaderElection election = LeaderElection.builder(apiClient).lease("orders").listener(work).start()) {
 *     ...
 * }
 * }</pre>
 *
 * <p>Without {@link Builder#coordinated}, candidates race for the lease as they do with client-go.
 */
public final class LeaderElection implements AutoCloseable {

    private final OwnedLock lock;
    private final LockThreads threads;
    private final KubernetesTransport transport;
    private final AtomicBoolean closed = new AtomicBoolean();

    private LeaderElection(OwnedLock lock, LockThreads threads, KubernetesTransport transport) {
        this.lock = lock;
        this.threads = threads;
        this.transport = transport;
    }

    /** Returns a builder for an election in the cluster of the given API client. The client is not modified. */
    public static Builder builder(ApiClient client) {
        return builder(KubernetesAccess.of(client));
    }

    /** Returns a builder for an election in the given cluster. */
    public static Builder builder(KubernetesAccess cluster) {
        return new Builder(cluster);
    }

    /** Returns the lock, which also offers listeners, the fencing token and a snapshot. */
    public CoordinatedLeaseLock lock() {
        return lock;
    }

    /** Returns whether this process leads at this instant. */
    public boolean isLeader() {
        return lock.isLeader();
    }

    /**
     * Waits until this process leads. Leadership may have ended by the time this method returns; check {@link #isLeader()}.
     *
     * @return whether a term began within that time or was already running
     * @throws InterruptedException if the waiting thread is interrupted
     */
    public boolean awaitLeadership(Duration timeout) throws InterruptedException {
        return lock.awaitLeadership(timeout);
    }

    /**
     * Ends the current term, releases the lease and stays out of elections for one lease duration.
     *
     * @return completes with the outcome
     */
    public CompletionStage<Resignation> resign() {
        return lock.resign();
    }

    /**
     * Ends the current term and hands the lease over to another candidate.
     *
     * @param successor the identity of that candidate
     * @return completes with the outcome
     * @see CoordinatedLeaseLock#resign(String)
     */
    public CompletionStage<Resignation> resign(String successor) {
        return lock.resign(successor);
    }

    /**
     * Stops being a candidate and ends all threads. If this process leads, waits until the led work has ended and the lease is released.
     * Idempotent.
     */
    @Override
    public void close() {
        if (closed.getAndSet(true)) {
            // The lock's event loop has ended and drops new tasks, so nothing would complete a second wait.
            return;
        }
        lock.close();
        threads.close();
        transport.close();
    }

    /** Builds a {@link LeaderElection}. Not thread-safe. */
    public static final class Builder {

        private final KubernetesAccess cluster;
        private @Nullable ObjectKey lease;
        private String identity = ProcessIdentity.create(System.getenv("HOSTNAME"), new SecureRandom());
        private Timings timings = Timings.DEFAULT;
        private Duration drainTimeout = Duration.ofSeconds(30);
        private LockConfig.Fallback fallback = new LockConfig.Fallback(true, Duration.ofSeconds(30));
        private boolean coordinated;
        private Optional<ApiFormat> format = Optional.empty();
        private UnaryOperator<Candidate.Builder> announcement = UnaryOperator.identity();
        private Duration renewInterval = Duration.ofMinutes(5);
        private ResourceLock record = ResourceLock.LEASES;
        private LockConfig.@Nullable Takeover takeover;
        private @Nullable LeaderElection outer;
        private final List<LeadershipListener> listeners = new ArrayList<>();

        private Builder(KubernetesAccess cluster) {
            this.cluster = cluster;
        }

        /**
         * Sets the lease, in the namespace of the pod, else of the kubeconfig's context, else {@code default}. The lease is created if it
         * doesn't exist.
         */
        public Builder lease(String name) {
            return lease(cluster.namespace(), name);
        }

        /** Sets the lease; this or {@link #lease(String)} is required. The lease is created if it doesn't exist. */
        public Builder lease(String namespace, String name) {
            lease = new ObjectKey(namespace, name);
            return this;
        }

        /** Sets the identity of this process, unique among the candidates. By default the host name and five random characters. */
        public Builder identity(String unique) {
            identity = unique;
            return this;
        }

        /** Sets lease duration, renew deadline and retry period. By default client-go's: 15 s, 10 s, 2 s. */
        public Builder timings(Timings durations) {
            timings = durations;
            return this;
        }

        /** Sets how long to wait for the led work to end before the lease is released. By default 30 s. */
        public Builder drainTimeout(Duration timeout) {
            drainTimeout = timeout;
            return this;
        }

        /**
         * Lets a coordinator elect, and announces a candidate without version and priority. The native format requires a version; set one
         * with {@link #coordinated(UnaryOperator)}.
         */
        public Builder coordinated() {
            return coordinated(UnaryOperator.identity());
        }

        /**
         * Lets a coordinator elect the best candidate. The API server decides the wire format: the one it serves is used.
         *
         * @param description adds to the candidate what the coordinator ranks it by: versions, priority, strategy
         */
        public Builder coordinated(UnaryOperator<Candidate.Builder> description) {
            coordinated = true;
            announcement = description;
            return this;
        }

        /**
         * Lets a coordinator elect the best candidate, always in the given wire format. For the native format, the newest version served
         * when the election starts is used.
         *
         * @param wireFormat the wire format of the candidate
         * @param description adds to the candidate what the coordinator ranks it by: versions, priority, strategy
         */
        public Builder coordinated(ApiFormat wireFormat, UnaryOperator<Candidate.Builder> description) {
            format = Optional.of(wireFormat);
            return coordinated(description);
        }

        /** Sets how often the candidate of a coordinated election is renewed without a ping. By default every 5 minutes. */
        public Builder renewInterval(Duration interval) {
            renewInterval = interval;
            return this;
        }

        /** Sets what the candidates race for: a Lease (the default), or the annotation of an Endpoints or ConfigMap object, as older electors use. */
        public Builder resourceLock(ResourceLock lock) {
            record = lock;
            return this;
        }

        /**
         * Lets a candidate preempt a leader whose key is worse (KEP-2835), in an election without a coordinator.
         *
         * @param key this candidate's key, at most 256 characters
         * @param comparison decides which of two keys takes precedence
         * @param timeout how long a leader has to yield, after it was asked to, before it is preempted
         */
        public Builder takeover(String key, KeyComparison comparison, Duration timeout) {
            takeover = new LockConfig.Takeover(key, comparison, timeout);
            return this;
        }

        /**
         * Leads only within the terms of another election of this process, as leader migration requires (KEP-2436). This process is a
         * candidate only while the outer election leads, and the outer lease is released after this one.
         *
         * @param outer the outer election, which the caller closes after this one
         */
        public Builder within(LeaderElection outer) {
            this.outer = outer;
            return this;
        }

        /** Adds a listener, which is called from the first term on; a listener that is added to a running {@link #lock()} may miss that term. */
        public Builder listener(LeadershipListener listener) {
            listeners.add(listener);
            return this;
        }

        /** Sets whether, and after what delay, to race for the lease if no coordinator elects. By default after 30 s. */
        public Builder fallback(boolean enabled, Duration delay) {
            fallback = new LockConfig.Fallback(enabled, delay);
            return this;
        }

        /**
         * Starts the election: this process becomes a candidate.
         *
         * @return the election, to be closed by the caller
         * @throws IllegalStateException if no lease is set
         * @throws IllegalArgumentException if the timings contradict each other, if a duration is negative or longer than 3,650 days, or if
         *     a coordinated election is combined with an option that only other elections support
         */
        public LeaderElection start() {
            ObjectKey target = lease;
            if (target == null) {
                throw new IllegalStateException("an election needs a lease: call lease(name)");
            }
            LockConfig config = config(target);
            KubernetesTransport transport = OkHttpTransport.to(cluster);
            LockThreads threads = LockThreads.create("cle");
            OwnedLock own = new LeaseLock(config, stores(config, transport, threads.loop()), Entropy.system(), threads);
            OwnedLock lock = outer == null ? own : new NestedLock(outer.lock, own);
            listeners.forEach(lock::addListener);
            lock.start();
            return new LeaderElection(lock, threads, transport);
        }

        private LockStores.Source stores(LockConfig config, KubernetesTransport transport, EventLoop loop) {
            SplittableRandom random = new SplittableRandom();
            ObjectClient client = new ObjectClient(transport, loop, random, timings.requestTimeout());
            if (!coordinated) {
                return new LockStores(LeaseClient.of(client, record, null), null).always();
            }
            FormatDiscovery discovery =
                    new FormatDiscovery(transport, config.lease().namespace(), timings.requestTimeout());
            return LockStores.chosenBy(FormatChoice.ofCandidate(discovery, format, loop, random), client, null);
        }

        private LockConfig config(ObjectKey target) {
            if (record.coordinated()) {
                throw new IllegalArgumentException(
                        "for a coordinated election call coordinated(...) instead of resourceLock("
                                + ResourceLock.COORDINATEDLEASES + ")");
            }
            if (coordinated && record != ResourceLock.LEASES) {
                throw new IllegalArgumentException(
                        "a coordinated election needs a Lease: resourceLock(" + record + ") can't be combined with it");
            }
            String holder = coordinated ? target.name() + "-" + identity : identity;
            ObjectKey candidate = new ObjectKey(target.namespace(), holder);
            Candidate.Builder template =
                    Candidate.builder(candidate, target).validity(LockConfig.Candidacy.validityOf(renewInterval));
            return new LockConfig(
                    target,
                    holder,
                    timings,
                    drainTimeout,
                    fallback,
                    coordinated
                            ? new LockConfig.Candidacy(
                                    announcement.apply(template).build(), renewInterval)
                            : null,
                    takeover,
                    LockConfig.renewTimeStepOf(record));
        }
    }
}
