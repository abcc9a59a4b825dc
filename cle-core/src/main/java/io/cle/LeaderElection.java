package io.cle;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;

import io.cle.kubernetes.KubernetesAccess;
import io.cle.kubernetes.internal.client.LeaseClient;
import io.cle.kubernetes.internal.client.ObjectClient;
import io.cle.kubernetes.internal.discovery.FormatChoice;
import io.cle.kubernetes.internal.discovery.FormatDiscovery;
import io.cle.kubernetes.internal.transport.ClientJavaTransport;
import io.cle.kubernetes.internal.transport.KubernetesTransport;
import io.cle.lock.internal.Entropy;
import io.cle.lock.internal.LeaseLock;
import io.cle.lock.internal.LockConfig;
import io.cle.lock.internal.LockStores;
import io.cle.lock.internal.LockThreads;
import io.cle.lock.internal.NestedLock;
import io.cle.lock.internal.ProcessIdentity;
import io.cle.loop.internal.EventLoop;
import io.cle.model.Candidate;
import io.cle.model.ObjectKey;
import io.kubernetes.client.openapi.ApiClient;
import org.jspecify.annotations.Nullable;

/**
 * Leader election for a program without Spring: one lease, with threads and connections of its own. Thread-safe.
 *
 * <pre>{@code
 * try (LeaderElection election = LeaderElection.builder(apiClient).lease("orders").start()) {
 *     election.runWhileLeader(term -> pollOrders(term.fencingToken()));
 *     ...
 * }
 * }</pre>
 *
 * <p>Without {@link Builder#coordinated} candidates race for the lease, as client-go's do.
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

    /** An election in the cluster of an API client, which isn't changed. */
    public static Builder builder(ApiClient client) {
        return builder(KubernetesAccess.of(client));
    }

    /** An election in a cluster. */
    public static Builder builder(KubernetesAccess cluster) {
        return new Builder(cluster);
    }

    /** The lock, for everything that isn't here: listeners, the fencing token, a snapshot. */
    public CoordinatedLeaseLock lock() {
        return lock;
    }

    /** Whether this process leads at this instant. */
    public boolean isLeader() {
        return lock.isLeader();
    }

    /**
     * Waits until this process leads. It may have stopped leading by the time this returns.
     *
     * @return whether a term began within that time, or was running already
     * @throws InterruptedException if the waiting thread is interrupted
     */
    public boolean awaitLeadership(Duration timeout) throws InterruptedException {
        return lock.awaitLeadership(timeout);
    }

    /**
     * Runs work in every term of this process, the running one included, on a thread of its own. The thread is interrupted when the
     * term ends, and the lease is released only when the work has returned, at the latest after the drain timeout. Work that
     * returns or throws before runs again in the next term; what it throws is logged.
     *
     * @return ends this: work that is running is interrupted, and none begins any more. The lease is not released before it has returned,
     *     whether the term ends before or after that
     */
    public LedWork runWhileLeader(LeaderAction work) {
        return LeaderRuns.of(lock, work);
    }

    /**
     * Ends the running term and stays out of elections for one lease duration.
     *
     * @return completes with the outcome
     */
    public CompletionStage<Resignation> resign() {
        return lock.resign();
    }

    /**
     * Ends the running term and gives the lease to another candidate.
     *
     * @param successor its identity
     * @return completes with the outcome
     * @see CoordinatedLeaseLock#resign(String)
     */
    public CompletionStage<Resignation> resign(String successor) {
        return lock.resign(successor);
    }

    /**
     * Stops being a candidate: a running term is drained and the lease released, which is waited for. Ends all threads. Does nothing the
     * second time.
     */
    @Override
    public void close() {
        if (closed.getAndSet(true)) {
            // The lock's loop has ended. It drops what it is given now, and the answer would be waited for in vain.
            return;
        }
        lock.close();
        threads.close();
        transport.close();
    }

    /** Work that runs whenever this process leads, until it is closed. */
    public interface LedWork extends AutoCloseable {

        /** Interrupts work that is running; none begins any more. Doesn't wait. Idempotent, thread-safe. */
        @Override
        void close();
    }

    /** What an election needs to know. Not thread-safe. */
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

        private Builder(KubernetesAccess cluster) {
            this.cluster = cluster;
        }

        /** The lease to lead by, in the namespace of the pod, else of the kubeconfig's context, else {@code default}. It is created if it doesn't exist. */
        public Builder lease(String name) {
            return lease(cluster.namespace(), name);
        }

        /** The lease to lead by; this or {@link #lease(String)} is required. It is created if it doesn't exist. */
        public Builder lease(String namespace, String name) {
            lease = new ObjectKey(namespace, name);
            return this;
        }

        /** The identity of this process, unique among the candidates. By default the host name and five random characters. */
        public Builder identity(String unique) {
            identity = unique;
            return this;
        }

        /** Lease duration, renew deadline and retry period. By default client-go's: 15 s, 10 s, 2 s. */
        public Builder timings(Timings durations) {
            timings = durations;
            return this;
        }

        /** How long the work of a term that has ended is waited for before the lease is released. By default 30 s. */
        public Builder drainTimeout(Duration timeout) {
            drainTimeout = timeout;
            return this;
        }

        /**
         * Lets a coordinator elect, and announces a candidate without version and priority. The native format requires a version, which
         * {@link #coordinated(UnaryOperator)} announces.
         */
        public Builder coordinated() {
            return coordinated(UnaryOperator.identity());
        }

        /**
         * Lets a coordinator elect the best candidate, who is announced in the wire format that the API server can be used with.
         *
         * @param description adds to the candidate what the coordinator ranks it by: versions, priority, strategy
         */
        public Builder coordinated(UnaryOperator<Candidate.Builder> description) {
            coordinated = true;
            announcement = description;
            return this;
        }

        /**
         * Lets a coordinator elect the best candidate, who is announced in a wire format that isn't left, whatever the API server serves. Of the
         * native format it is the newest version that is served when the election starts.
         *
         * @param wireFormat of the candidate
         * @param description adds to the candidate what the coordinator ranks it by: versions, priority, strategy
         */
        public Builder coordinated(ApiFormat wireFormat, UnaryOperator<Candidate.Builder> description) {
            format = Optional.of(wireFormat);
            return coordinated(description);
        }

        /** How often the candidate of a coordinated election is renewed without a ping. By default every 5 minutes. */
        public Builder renewInterval(Duration interval) {
            renewInterval = interval;
            return this;
        }

        /** What the candidates race for: a Lease, by default, or the annotation of an Endpoints or ConfigMap object that older electors use. */
        public Builder resourceLock(ResourceLock lock) {
            record = lock;
            return this;
        }

        /**
         * Lets a candidate preempt a leader whose key is worse (KEP-2835), in an election without a coordinator.
         *
         * @param key this candidate's key, at most 256 characters
         * @param comparison says which of two keys takes precedence
         * @param timeout how long a leader that is asked to yield has to do so before it is preempted
         */
        public Builder takeover(String key, KeyComparison comparison, Duration timeout) {
            takeover = new LockConfig.Takeover(key, comparison, timeout);
            return this;
        }

        /**
         * Leads only within the terms of another election of this process, as leader migration needs it (KEP-2436): this process is a candidate
         * while the outer election leads, and the outer lease is released after this one.
         *
         * @param outer is closed by the caller, after this election
         */
        public Builder within(LeaderElection outer) {
            this.outer = outer;
            return this;
        }

        /** When to race for the lease although a coordinator should elect. By default after 30 s. */
        public Builder fallback(boolean enabled, Duration delay) {
            fallback = new LockConfig.Fallback(enabled, delay);
            return this;
        }

        /**
         * Becomes a candidate.
         *
         * @return to be closed by the caller
         * @throws IllegalStateException if no lease is named
         * @throws IllegalArgumentException if the timings contradict each other, a duration is negative or longer than 3,650 days, or what
         *     only an election without a coordinator has is combined with one
         */
        public LeaderElection start() {
            ObjectKey target = lease;
            if (target == null) {
                throw new IllegalStateException("an election needs a lease: call lease(name)");
            }
            LockConfig config = config(target);
            KubernetesTransport transport = ClientJavaTransport.to(cluster.apiClient());
            LockThreads threads = LockThreads.create("cle");
            OwnedLock own = new LeaseLock(config, stores(config, transport, threads.loop()), Entropy.system(), threads);
            OwnedLock lock = outer == null ? own : new NestedLock(outer.lock, own);
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
                throw new IllegalArgumentException("a coordinated election is led by a Lease: resourceLock(" + record
                        + ") can't be combined with it");
            }
            String holder = coordinated ? target.name() + "-" + identity : identity;
            ObjectKey candidate = new ObjectKey(target.namespace(), holder);
            Candidate.Builder template = Candidate.builder(candidate, target).validity(renewInterval.multipliedBy(2));
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
