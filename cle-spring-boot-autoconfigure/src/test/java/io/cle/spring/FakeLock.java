package io.cle.spring;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.cle.LeadershipListener;
import io.cle.LockSnapshot;
import io.cle.OwnedLock;
import io.cle.Registration;
import io.cle.Resignation;
import io.cle.RevokeReason;
import io.cle.Role;
import io.cle.Term;
import io.cle.Timings;
import io.cle.lock.internal.LockTerm;
import io.cle.lock.internal.Snapshot;
import io.cle.model.Candidate;
import io.cle.model.ObjectKey;
import io.cle.model.Version;
import io.cle.spring.lock.internal.ApplicationLease;
import io.cle.spring.lock.internal.LeaseLockFactory;
import io.cle.spring.lock.internal.Leases;
import io.cle.spring.properties.internal.LeaseSettings;
import io.cle.spring.properties.internal.SettingsFixture;
import org.jspecify.annotations.Nullable;

/** A lock whose terms a test begins and ends. Calls its listeners on a separate thread, as the real lock does. */
public final class FakeLock implements OwnedLock {

    public static final Instant SINCE = Instant.parse("2026-01-01T00:00:00Z");

    private final ExecutorService callbacks = Executors.newSingleThreadExecutor(task -> {
        Thread thread = new Thread(task, "callbacks");
        thread.setDaemon(true);
        return thread;
    });
    private final List<LeadershipListener> listeners = new CopyOnWriteArrayList<>();
    private final List<@Nullable Integer> priorities = new CopyOnWriteArrayList<>();
    private final ObjectKey lease;
    private volatile @Nullable Term term;
    private volatile CompletableFuture<Void> lastRevocation = new CompletableFuture<>();
    private volatile boolean running;
    private volatile @Nullable Role role;
    private volatile @Nullable String electedBy = "coordinated-election-controller";
    private volatile @Nullable String uncoordinated;
    private volatile @Nullable String key;
    private volatile LockSnapshot.Contact contact = new LockSnapshot.Contact(true, SINCE, null);
    private volatile LockSnapshot.@Nullable Contact candidacy = new LockSnapshot.Contact(true, SINCE, null);
    private volatile LockSnapshot.@Nullable Contact writes = new LockSnapshot.Contact(true, SINCE, null);
    private long terms = 40;

    public FakeLock(String name) {
        lease = new ObjectKey("shop", name);
    }

    /** Returns the leases of an application that defines these locks itself. */
    public static Leases leases(FakeLock... locks) {
        return new Leases(Stream.of(locks)
                .map(lock -> new ApplicationLease(lock.name(), lock, null))
                .toList());
    }

    /** Returns the shards of a lease, one per lock. */
    public static List<ApplicationLease> shards(String lease, List<FakeLock> locks) {
        List<LeaseSettings> settings = SettingsFixture.settings(
                Map.of("cle.lease-name", "main", "cle.leases." + lease + ".shards", "" + locks.size()));
        return IntStream.range(0, locks.size())
                .mapToObj(i -> new ApplicationLease(settings.get(i + 1).name(), locks.get(i), settings.get(i + 1)))
                .toList();
    }

    /** Returns a factory of fake locks. */
    public static LeaseLockFactory factory() {
        return settings -> new FakeLock(settings.lease().name());
    }

    /** Begins a term; returns when all listeners have been called. */
    public Term grant() {
        Term begun = new LockTerm(lease, lease.name() + "-a", ++terms, SINCE, this);
        term = begun;
        callEach(listener -> listener.onGranted(begun));
        return begun;
    }

    /** Ends the term; completes when all listeners have drained. */
    public CompletableFuture<Void> revoke(RevokeReason reason) {
        Term ended = term;
        if (ended == null) {
            return CompletableFuture.completedFuture(null);
        }
        term = null;
        lastRevocation = CompletableFuture.runAsync(
                        () -> listeners.forEach(listener -> listener.onRevoked(ended, reason)), callbacks)
                .thenCompose(unused -> CompletableFuture.allOf(listeners.stream()
                        .map(listener -> listener.drained(ended).toCompletableFuture())
                        .toArray(CompletableFuture[]::new)));
        return lastRevocation;
    }

    /** Returns the last result of {@link #revoke}; incomplete until a term was revoked. */
    public CompletableFuture<Void> lastRevocation() {
        return lastRevocation;
    }

    /** Waits until all listeners have been called with the events so far. */
    public void awaitListeners() {
        callEach(listener -> {});
    }

    /** Reports a holder; returns when all listeners have been called. */
    public void changeLeader(@Nullable String holder) {
        callEach(listener -> listener.onLeaderChanged(holder));
    }

    /** Overrides the role in the snapshot. */
    public void role(Role shown) {
        role = shown;
    }

    /** Sets the key, as with prioritized election. */
    public void key(@Nullable String shown) {
        key = shown;
    }

    public void contact(boolean ok, Instant since, @Nullable String problem) {
        contact = new LockSnapshot.Contact(ok, since, problem);
    }

    /** Sets the state of its writes of the lease. */
    public void writes(boolean ok, Instant since, @Nullable String problem) {
        writes = new LockSnapshot.Contact(ok, since, problem);
    }

    /** Sets the state of its candidacy. */
    public void candidacy(boolean ok, Instant since, @Nullable String problem) {
        candidacy = new LockSnapshot.Contact(ok, since, problem);
    }

    private void callEach(Consumer<LeadershipListener> call) {
        CompletableFuture.runAsync(() -> listeners.forEach(call), callbacks).join();
    }

    @Override
    public String name() {
        return lease.name();
    }

    @Override
    public void start() {
        running = true;
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public CompletionStage<Void> stop() {
        running = false;
        return revoke(RevokeReason.STOPPED);
    }

    @Override
    public void close() {
        stop().toCompletableFuture().join();
    }

    @Override
    public boolean isLeader() {
        return term != null;
    }

    @Override
    public Optional<String> leader() {
        return isLeader() ? Optional.of(lease.name() + "-a") : Optional.of(lease.name() + "-b");
    }

    @Override
    public Optional<Term> term() {
        return Optional.ofNullable(term);
    }

    @Override
    public OptionalLong fencingToken() {
        Term current = term;
        return current == null ? OptionalLong.empty() : OptionalLong.of(current.fencingToken());
    }

    @Override
    public CompletionStage<Resignation> resign() {
        Resignation outcome = isLeader() ? Resignation.RELEASED : Resignation.NOT_LEADING;
        return revoke(RevokeReason.RESIGNED).thenApply(unused -> outcome);
    }

    /** {@inheritDoc} Only {@code <lease>-b} is a candidate; reading {@code <lease>-unread} fails. */
    @Override
    public CompletionStage<Resignation> resign(String successor) {
        if (successor.equals(lease.name() + "-unread")) {
            return CompletableFuture.failedFuture(new IllegalStateException("the candidate can't be read: status 403"));
        }
        return isLeader() && !successor.equals(lease.name() + "-b")
                ? CompletableFuture.completedFuture(Resignation.NOT_A_CANDIDATE)
                : resign();
    }

    @Override
    public void announcePriority(@Nullable Integer priority) {
        priorities.add(priority);
    }

    /** Returns the announced priorities, in order. */
    public List<@Nullable Integer> priorities() {
        return priorities;
    }

    /** Sets who elected the holder according to the record. */
    public void electedBy(String who) {
        electedBy = who;
    }

    /** Sets why no coordinator can elect this candidate. */
    public void uncoordinated(String why) {
        uncoordinated = why;
        candidacy = null;
    }

    @Override
    public LockSnapshot snapshot() {
        Term current = term;
        String identity = lease.name() + "-a";
        return new Snapshot(
                lease,
                identity,
                true,
                Timings.DEFAULT,
                role != null ? role : current != null ? Role.LEADER : running ? Role.CANDIDATE : Role.STOPPED,
                current == null ? null : new LockSnapshot.Leading(current.fencingToken(), Duration.ofMillis(7500)),
                new Snapshot.Seen(
                        leader().orElseThrow(),
                        SINCE,
                        SINCE.plusSeconds(3),
                        electedBy,
                        "OldestCompatibilityVersion",
                        4,
                        false,
                        null,
                        "1.1.0"),
                Candidate.builder(new ObjectKey("shop", identity), lease)
                        .binaryVersion(Version.parse("1.2.0"))
                        .compatibilityVersion(Version.parse("1.1.0"))
                        .priority(7)
                        .renewTime(SINCE)
                        .build(),
                uncoordinated,
                key,
                new LockSnapshot.Contacts(contact, candidacy, writes),
                List.of(new LockSnapshot.HistoryEntry(SINCE, "is a candidate")),
                new LockSnapshot.Measurements(
                        new LockSnapshot.Timed(3, Duration.ofMillis(12)),
                        1,
                        new LockSnapshot.Timed(1, Duration.ofMillis(25))));
    }

    @Override
    public Registration addListener(LeadershipListener listener) {
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }
}
