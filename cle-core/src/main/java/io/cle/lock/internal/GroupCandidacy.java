package io.cle.lock.internal;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Consumer;

import io.cle.LockSnapshot.Contact;
import io.cle.loop.internal.EventLoop;
import io.cle.model.Candidate;
import io.cle.model.LeaseGroup;
import io.cle.model.ObjectKey;
import io.cle.model.internal.ApiResult;
import io.cle.store.internal.Subscription;
import org.jspecify.annotations.Nullable;

/**
 * A process's single candidate for all leases of a group, shared by their locks. It is announced while at least one lock has joined the election,
 * and lists the leases whose locks have. Confined to the event loop.
 */
public final class GroupCandidacy {

    private final EventLoop loop;
    private final LeaseGroup group;
    private final LockCandidacy candidacy;

    /** The shares of the locks, which are created on other threads than the loop's. */
    private final Map<ObjectKey, Share> shares = new ConcurrentSkipListMap<>();

    /** The leases whose locks have joined the election. */
    private final Set<ObjectKey> joined = new TreeSet<>();

    /** Whether a change of {@link #joined} isn't announced yet. Locks join and stop together, and one write announces all changes. */
    private boolean changed;

    /** The stores in use; null before there are any, and while no lock uses the candidate. */
    private @Nullable LockStores stores;

    /**
     * Creates a candidacy without announcing it.
     *
     * @param config of any lock of the group
     * @throws IllegalArgumentException if the lock's candidate isn't one of a group
     */
    public GroupCandidacy(LockConfig config, LockThreads threads) {
        LeaseGroup ofCandidate = config.group();
        if (ofCandidate == null) {
            throw new IllegalArgumentException(config.lease() + " is not a lease of a group");
        }
        this.loop = threads.loop();
        this.group = ofCandidate;
        this.candidacy = new LockCandidacy(
                config,
                loop,
                new LockJournal(config, ofCandidate.pattern(), loop.clock(), threads.lines()),
                new Candidacy.Listener(
                        this::announced,
                        () -> forEach(share -> share.lock.electionStarted().run()),
                        () -> forEach(share -> share.lock.interrupted().run()),
                        () -> forEach(share -> share.lock.stepped().run())));
    }

    /**
     * Returns the share of a lock, which replaces that of a stopped lock.
     *
     * @throws IllegalArgumentException if the lease isn't one of the group
     */
    Candidacy share(ObjectKey lease, Candidacy.Listener lock) {
        boolean belongs = group.isSharded()
                ? group.indexOf(lease).isPresent()
                : lease.namespace().equals(group.namespace());
        if (!belongs) {
            throw new IllegalArgumentException(lease + " is not a lease of " + group);
        }
        Share share = new Share(this, lease, lock);
        Share former = shares.put(lease, share);
        if (former != null && former.using) {
            throw new IllegalStateException(lease + " of " + group + " has a lock already");
        }
        return share;
    }

    private void forEach(Consumer<Share> action) {
        List.copyOf(shares.values()).stream().filter(share -> share.using).forEach(action);
    }

    private void announced() {
        forEach(share -> share.lock.announced().run());
    }

    /** Announces the joined locks, after the tasks already queued on the loop. */
    private void joinedChanged() {
        if (!changed) {
            changed = true;
            loop.execute(this::announceJoined);
        }
    }

    private void announceJoined() {
        changed = false;
        if (joined.isEmpty()) {
            candidacy.withdraw();
            return;
        }
        boolean begins = !candidacy.wanted();
        candidacy.announceLeases(Set.copyOf(joined));
        if (begins) {
            candidacy.announce();
        }
    }

    /** The candidacy of one lock of the group. */
    static final class Share implements Candidacy {

        private final GroupCandidacy of;
        private final ObjectKey lease;
        private final Listener lock;
        private boolean using;

        private Share(GroupCandidacy of, ObjectKey lease, Listener lock) {
            this.of = of;
            this.lease = lease;
            this.lock = lock;
        }

        @Override
        public Subscription use(LockStores stores) {
            using = true;
            LockStores before = of.stores;
            of.stores = stores;
            if (before == null || (before.candidates() == null) != (stores.candidates() == null)) {
                of.candidacy.use(stores);
            } else {
                lock.stepped().run();
            }
            return this::close;
        }

        private void close() {
            using = false;
            if (of.stores != null && of.shares.values().stream().noneMatch(share -> share.using)) {
                of.candidacy.close();
                of.stores = null;
            }
        }

        @Override
        public @Nullable Problem problem() {
            return of.candidacy.problem();
        }

        @Override
        public boolean served() {
            return of.candidacy.served();
        }

        @Override
        public void announce() {
            boolean announced = of.candidacy.wanted();
            if (of.joined.add(lease)) {
                of.joinedChanged();
            }
            if (announced) {
                lock.announced().run();
            }
        }

        @Override
        public void withdraw() {
            if (of.joined.remove(lease)) {
                of.joinedChanged();
            }
        }

        @Override
        public void announcePriority(@Nullable Integer priority) {
            of.candidacy.announcePriority(priority);
        }

        @Override
        public @Nullable Candidate stored() {
            Candidate candidate = of.candidacy.stored();
            return candidate == null || !candidate.canLead(lease) ? null : candidate;
        }

        @Override
        public Contact contact() {
            return of.candidacy.contact();
        }

        @Override
        public void ifCandidate(String identity, Consumer<ApiResult<Boolean>> answered) {
            of.candidacy.ifCandidate(lease, identity, answered);
        }

        @Override
        public boolean withdrawn() {
            return !of.joined.contains(lease)
                    && (of.candidacy.withdrawn() || (of.candidacy.stored() != null && stored() == null));
        }

        @Override
        public boolean withdrawing() {
            return !of.joined.contains(lease) && !withdrawn();
        }
    }
}
