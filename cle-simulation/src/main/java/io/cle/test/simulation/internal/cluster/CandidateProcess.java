package io.cle.test.simulation.internal.cluster;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

import io.cle.LeadershipListener;
import io.cle.RevokeReason;
import io.cle.Role;
import io.cle.Term;
import io.cle.lock.internal.GroupCandidacy;
import io.cle.lock.internal.LeaseLock;
import io.cle.lock.internal.LockConfig;
import io.cle.lock.internal.LockStores;
import io.cle.lock.internal.LockThreads;
import io.cle.loop.internal.EventLoop;
import io.cle.model.Candidate;
import io.cle.model.LeaseGroup;
import io.cle.test.simulation.internal.process.SimulatedEntropy;
import io.cle.test.simulation.internal.process.VirtualProcess;
import org.jspecify.annotations.Nullable;

/** A candidate with the real lock in it, and with work that takes its time to end. */
public final class CandidateProcess extends Contender {

    private final LeaseLock lock;
    private final LockConfig config;
    private @Nullable Candidate candidate;

    /** Observes the calls of listeners. */
    interface Observer {
        /** A term has begun. */
        void granted(Contender contender, Term term);

        /** A term has ended. */
        void revoked(Contender contender, Term term, RevokeReason reason);
    }

    /**
     * A process that does nothing yet.
     *
     * @param slowListeners whether its listeners take their time, and its work longer still
     * @param group the candidate that it shares with the other shards of its process; null without shards
     */
    CandidateProcess(
            VirtualProcess process,
            LockConfig config,
            LockStores.Source stores,
            String nonce,
            EventLoop loop,
            SplittableRandom random,
            boolean slowListeners,
            Observer observer,
            @Nullable GroupCandidacy group) {
        super(config.lease(), config.identity(), process);
        this.config = config;
        candidate = config.candidacy() == null ? null : config.candidacy().template();
        Executor listeners = process.thread(() -> slowListeners ? random.nextLong(500_000_000) : 0);
        SimulatedEntropy entropy = new SimulatedEntropy(nonce);
        lock = new LeaseLock(config, stores, entropy, LockThreads.of(loop, listeners), group);
        lock.addListener(new LeadershipListener() {
            @Override
            public void onGranted(Term term) {
                observer.granted(CandidateProcess.this, term);
            }

            @Override
            public void onRevoked(Term term, RevokeReason reason) {
                observer.revoked(CandidateProcess.this, term, reason);
            }

            @Override
            public CompletionStage<Void> drained(Term term) {
                if (!slowListeners || random.nextBoolean()) {
                    work = null;
                    return CompletableFuture.completedFuture(null);
                }
                CompletableFuture<Void> end = new CompletableFuture<>();
                Duration longest = config.drainTimeout().multipliedBy(3).dividedBy(2);
                loop.schedule(Duration.ofNanos(random.nextLong(longest.toNanos())), () -> {
                    if (term.equals(work)) {
                        work = null;
                    }
                    end.complete(null);
                });
                return end;
            }
        });
    }

    /** The lock in it. */
    public LeaseLock lock() {
        return lock;
    }

    LockConfig config() {
        return config;
    }

    @Override
    public @Nullable LeaseGroup group() {
        LeaseGroup group = config.group();
        return group == null || !group.isSharded() ? null : group;
    }

    /** Announces another priority. */
    public void announce(int next) {
        if (candidate != null) {
            candidate = candidate.toBuilder().priority(next).build();
        }
        lock.announcePriority(next);
    }

    /** What it announces; null if it announces nothing. */
    @Nullable
    public Candidate candidate() {
        return candidate;
    }

    @Override
    public boolean leads() {
        // No code on a suspended machine can ask.
        return !process().clock().suspended() && lock.isLeader();
    }

    @Override
    public long token() {
        OptionalLong token = lock.fencingToken();
        return token.isPresent() ? token.getAsLong() : 0;
    }

    @Override
    public void resign() {
        process().run(() -> lock.resign());
    }

    @Override
    public long drainTimeout() {
        return config.drainTimeout().toNanos();
    }

    @Override
    public boolean listens() {
        return lock.snapshot().role() != Role.STOPPED;
    }

    @Override
    public boolean ours() {
        return true;
    }
}
