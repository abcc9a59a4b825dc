package io.cle.lock.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.cle.LockSnapshot.Contact;
import io.cle.loop.internal.EventLoop;
import io.cle.model.Candidate;
import io.cle.model.LeaseGroup;
import io.cle.model.ObjectKey;
import io.cle.model.internal.ApiResult;
import org.jspecify.annotations.Nullable;

/**
 * The one candidate of a process for all leases of a group, which the locks on these leases share. It is announced while one of them wants to
 * lead, and says which shards this process can't lead: those whose locks don't stand, or have resigned. Confined to the event loop.
 */
public final class GroupCandidacy {

    private final EventLoop loop;
    private final LeaseGroup group;
    private final LockCandidacy candidacy;
    private final Map<Integer, Share> shares = new TreeMap<>();

    /** The shards whose locks stand as candidates. */
    private final Set<Integer> standing = new TreeSet<>();

    /** Whether the change of {@link #standing} is yet to be announced: many locks join and stop at once, and one write is enough. */
    private boolean changed;

    /** The stores in use; null before there are any, and while no lock uses the candidate. */
    private @Nullable LockStores stores;

    /**
     * Makes a candidacy without announcing it.
     *
     * @param config of any lock of the group
     * @throws IllegalArgumentException if the lock's candidate isn't one of a group
     */
    public GroupCandidacy(LockConfig config, LockThreads threads) {
        this(config, threads.loop(), threads.lines());
    }

    /** Makes a candidacy on a loop; the locks of the group must run on the same one. */
    public GroupCandidacy(LockConfig config, EventLoop loop) {
        this(config, loop, new LeaseLines(loop));
    }

    private GroupCandidacy(LockConfig config, EventLoop loop, LeaseLines lines) {
        LockConfig.Candidacy announced = config.candidacy();
        LeaseGroup ofCandidate = announced == null ? null : announced.template().group();
        if (ofCandidate == null) {
            throw new IllegalArgumentException(config.lease() + " is not a shard of a group");
        }
        this.loop = loop;
        this.group = ofCandidate;
        this.candidacy = new LockCandidacy(
                config,
                loop,
                new LockJournal(ofCandidate.pattern(), config.identity(), loop.clock(), lines),
                () -> forEach(share -> share.sharer.announced().run()),
                () -> forEach(share -> share.sharer.electionStarted().run()),
                () -> forEach(share -> share.sharer.interrupted().run()),
                this::stepped);
    }

    /**
     * What a lock does about its share.
     *
     * @param announced is run when the candidate is announced
     * @param electionStarted is run when the candidate is asked to acknowledge
     * @param interrupted is run when the watch of the candidate breaks
     * @param stepped is run whenever something may have changed
     */
    record Sharer(Runnable announced, Runnable electionStarted, Runnable interrupted, Runnable stepped) {}

    /**
     * Returns the share of a lock.
     *
     * @throws IllegalArgumentException if the lease isn't a shard of the group
     */
    Candidacy share(ObjectKey lease, Sharer sharer) {
        int shard = group.indexOf(lease)
                .orElseThrow(() -> new IllegalArgumentException(lease + " is not a shard of " + group));
        Share share = new Share(this, shard, sharer);
        if (shares.put(shard, share) != null) {
            throw new IllegalStateException("shard " + shard + " of " + group + " has a lock already");
        }
        return share;
    }

    private void forEach(Consumer<Share> action) {
        List.copyOf(shares.values()).stream().filter(share -> share.using).forEach(action);
    }

    private void stepped() {
        forEach(Share::stepped);
    }

    /** Announces which locks stand, at the end of the tasks that are waiting for the loop. */
    private void standingChanged() {
        if (!changed) {
            changed = true;
            loop.execute(this::announceStanding);
        }
    }

    private void announceStanding() {
        changed = false;
        if (standing.isEmpty()) {
            candidacy.withdraw();
            return;
        }
        boolean begins = !candidacy.wanted();
        candidacy.announceWithdrawnShards(IntStream.range(0, group.shards())
                .filter(shard -> !standing.contains(shard))
                .boxed()
                .collect(Collectors.toUnmodifiableSet()));
        if (begins) {
            candidacy.announce();
        }
    }

    /** A lock's share in the candidate. */
    static final class Share implements Candidacy {

        private final GroupCandidacy of;
        private final int shard;
        private final Sharer sharer;
        private final List<Runnable> waiting = new ArrayList<>();
        private boolean using;

        private Share(GroupCandidacy of, int shard, Sharer sharer) {
            this.of = of;
            this.shard = shard;
            this.sharer = sharer;
        }

        @Override
        public void use(LockStores stores) {
            using = true;
            LockStores before = of.stores;
            of.stores = stores;
            if (before == null || (before.candidates() == null) != (stores.candidates() == null)) {
                of.candidacy.use(stores);
            } else {
                sharer.stepped().run();
            }
        }

        @Override
        public void close() {
            using = false;
            if (of.stores != null && of.shares.values().stream().noneMatch(share -> share.using)) {
                of.candidacy.close();
                of.stores = null;
            }
        }

        @Override
        public @Nullable String problem() {
            return of.candidacy.problem();
        }

        @Override
        public boolean served() {
            return of.candidacy.served();
        }

        @Override
        public void announce() {
            boolean announced = of.candidacy.wanted();
            if (of.standing.add(shard)) {
                of.standingChanged();
            }
            if (announced) {
                sharer.announced().run();
            }
        }

        @Override
        public void withdraw() {
            if (of.standing.remove(shard)) {
                of.standingChanged();
            }
        }

        @Override
        public void announcePriority(@Nullable Integer priority) {
            of.candidacy.announcePriority(priority);
        }

        @Override
        public @Nullable Candidate stored() {
            Candidate candidate = of.candidacy.stored();
            return candidate == null || candidate.withdrawnShards().contains(shard) ? null : candidate;
        }

        @Override
        public Contact contact() {
            return of.candidacy.contact();
        }

        @Override
        public void ifCandidate(String identity, Consumer<ApiResult<Boolean>> answered) {
            of.candidacy.ifCandidate(identity, answered);
        }

        @Override
        public boolean withdrawn() {
            return !of.standing.contains(shard)
                    && (of.candidacy.withdrawn() || (of.candidacy.stored() != null && stored() == null));
        }

        @Override
        public void onceWithdrawn(Runnable task) {
            if (of.standing.contains(shard) || withdrawn()) {
                task.run();
                return;
            }
            waiting.add(task);
            of.loop.schedule(LockCandidacy.WITHDRAWAL_PATIENCE, () -> {
                if (waiting.remove(task)) {
                    task.run();
                }
            });
        }

        private void stepped() {
            if (withdrawn()) {
                List<Runnable> due = List.copyOf(waiting);
                waiting.clear();
                due.forEach(Runnable::run);
            }
            sharer.stepped().run();
        }
    }
}
