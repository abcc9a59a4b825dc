package io.cle.rehearsal;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

import io.cle.api.ApiResult;
import io.cle.api.CandidateStore;
import io.cle.api.LeaseStore;
import io.cle.kubernetes.KubernetesApis;
import io.cle.kubernetes.MemoryTransport;
import io.cle.lock.LockConfig;
import io.cle.lock.LockKind;
import io.cle.lock.RevokeReason;
import io.cle.lock.Term;
import io.cle.model.Candidate;
import io.cle.model.Lease;
import io.cle.model.ObjectKey;
import io.cle.model.TermMark;
import io.cle.model.Timings;
import io.cle.model.Version;
import io.cle.runtime.LeadershipListener;
import io.cle.runtime.LeaseLock;

/**
 * One life of two locks: the first leads, is asked to acknowledge, and hands over to the second, which leaves in good order. Played on
 * the caller's thread and in memory; no API server, no other thread and no lock of the application hears of it. Used once.
 *
 * <p>Played once, and in one format: that loads and links nearly all that locks of the other kinds run, too, and takes no longer than
 * what it saves. To play until code is compiled would keep the compiler busy just when the first election comes.
 */
public final class Rehearsal {

    private static final ObjectKey LEASE = new ObjectKey("rehearsal", "rehearsal");
    private static final String FIRST = "first";
    private static final String SECOND = "second";
    private static final String STRATEGY = "OldestCompatibilityVersion";

    private final Staging staging;
    private final TurnLoop loop = new TurnLoop();
    private final LeaseStore leases;
    private final CandidateStore candidates;
    private final List<String> told = new ArrayList<>();

    private Rehearsal(Staging staging) {
        this.staging = staging;
        MemoryTransport transport = new MemoryTransport();
        Duration timeout = Timings.DEFAULT.requestTimeout();
        KubernetesApis apis = new KubernetesApis(transport, loop, new SplittableRandom(1), timeout);
        Staging.Stage stage = new Staging.Stage(transport, loop, apis);
        leases = staging.leases(stage);
        candidates = staging.candidates(stage);
    }

    /**
     * Plays it. Takes some tenths of a second in a process that has just started.
     *
     * @param staging what the locks have around them
     * @return what the locks told their listeners, in order
     */
    public static List<String> perform(Staging staging) {
        Rehearsal rehearsal = new Rehearsal(staging);
        rehearsal.play();
        return List.copyOf(rehearsal.told);
    }

    private void play() {
        LeaseLock first = started(FIRST, "1.1.0");
        leases.create(elected(loop.wall()));
        loop.settle();
        candidates.ping(Candidate.builder(keyOf(FIRST), LEASE).build(), loop.wall());
        loop.settle();
        LeaseLock second = started(SECOND, "1.0.0");
        leases.read(LEASE).thenAccept(this::endTerm);
        loop.settle();
        stop(second);
        stop(first);
    }

    private LeaseLock started(String identity, String version) {
        LeaseLock lock =
                new LeaseLock(config(identity, Version.parse(version)), leases, candidates, identity, loop, loop);
        lock.addListener(new Listener(identity));
        staging.customize(lock.name(), lock);
        lock.start();
        loop.settle();
        return lock;
    }

    private void stop(LeaseLock lock) {
        lock.stop();
        loop.settle();
    }

    /** What a coordinator writes when it elects. */
    private static Lease elected(Instant now) {
        return Lease.builder(LEASE)
                .holder(FIRST)
                .acquireTime(now)
                .renewTime(now)
                .term(TermMark.granted(FIRST, now))
                .strategy(STRATEGY)
                .electedBy("rehearsal")
                .managed(true)
                .build();
    }

    /** What a coordinator writes when a better candidate has come. */
    private void endTerm(ApiResult<Optional<Lease>> read) {
        if (read instanceof ApiResult.Ok<Optional<Lease>> ok) {
            ok.value()
                    .ifPresent(lease -> leases.write(
                            lease.toBuilder().endOfTerm(SECOND, null).build()));
        }
    }

    private static LockConfig config(String identity, Version version) {
        Candidate template = Candidate.builder(keyOf(identity), LEASE)
                .binaryVersion(version)
                .compatibilityVersion(version)
                .strategy(STRATEGY)
                .validity(Duration.ofMinutes(10))
                .build();
        return new LockConfig(
                LEASE,
                identity,
                LockKind.COORDINATED,
                Timings.DEFAULT,
                Timings.DEFAULT.leaseDuration(),
                new LockConfig.Fallback(true, Timings.DEFAULT.leaseDuration()),
                new LockConfig.Candidacy(template, Duration.ofMinutes(5)),
                null,
                Duration.ofNanos(1_000));
    }

    private static ObjectKey keyOf(String identity) {
        return new ObjectKey(LEASE.namespace(), identity);
    }

    private final class Listener implements LeadershipListener {
        private final String who;

        Listener(String who) {
            this.who = who;
        }

        @Override
        public void onAnnounced() {
            told.add(who + " stands");
        }

        @Override
        public void onGranted(Term term) {
            told.add(who + " leads");
        }

        @Override
        public void onRevoked(Term term, RevokeReason reason) {
            told.add(who + " no longer leads: " + reason);
        }
    }
}
