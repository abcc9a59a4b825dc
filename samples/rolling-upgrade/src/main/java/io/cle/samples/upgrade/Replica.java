package io.cle.samples.upgrade;

import java.time.Duration;
import java.util.Locale;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.cle.CoordinatedLeaseLock;
import io.cle.LeadershipListener;
import io.cle.Timings;
import io.cle.kubernetes.internal.transport.KubernetesTransport;
import io.cle.lock.internal.LockThreads;
import io.cle.model.Version;
import io.cle.samples.narration.Stopwatch;
import io.cle.samples.narration.StoryFailedException;
import io.cle.spring.event.OnGrantedLeadership;
import io.cle.spring.event.OnRevokedLeadership;
import io.cle.spring.lock.LeaseLockCustomizer;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.event.EventListener;

/**
 * One replica: an application context with its own identity, version, threads and connections. This object is also a
 * bean of that context, to receive the starter's events and locks. Thread-safe.
 */
final class Replica implements Observed, LeaseLockCustomizer {

    private static final String LEASE = "orders";
    private static final String NAMESPACE = "shop";

    private final String identity;
    private final Version version;
    private final Ledger ledger;
    private final Chronicle chronicle;
    private final Stopwatch stopwatch;

    private @Nullable ConfigurableApplicationContext context;
    private volatile @Nullable CoordinatedLeaseLock lock;
    private final CompletableFuture<Long> announced = new CompletableFuture<>();
    private volatile boolean leaves;

    Replica(String identity, Version version, Ledger ledger, Chronicle chronicle, Stopwatch stopwatch) {
        this.identity = identity;
        this.version = version;
        this.ledger = ledger;
        this.chronicle = chronicle;
        this.stopwatch = stopwatch;
    }

    /** Starts the replica like {@code java -jar} in a pod: replicas differ only in properties of the starter. */
    void start(String apiServer, String podUid, Timings timings) {
        context = new SpringApplicationBuilder(ReplicaApplication.class)
                .web(WebApplicationType.NONE)
                .bannerMode(Banner.Mode.OFF)
                .registerShutdownHook(false)
                .initializers(starting -> {
                    starting.getBeanFactory().registerSingleton("replica", this);
                    starting.getBeanFactory().registerSingleton("ledger", ledger);
                })
                .run(
                        "--cle.kubernetes.base-url=" + apiServer,
                        "--cle.namespace=" + NAMESPACE,
                        "--cle.lease-name=" + LEASE,
                        "--cle.identity=" + identity,
                        "--cle.candidate.binary-version=" + version,
                        "--cle.leader-pod.enabled=true",
                        "--POD_NAME=" + name(),
                        "--POD_UID=" + podUid,
                        "--POD_NAMESPACE=" + NAMESPACE,
                        "--cle.lease-duration=" + timings.leaseDuration().toMillis() + "ms",
                        "--cle.renew-deadline=" + timings.renewDeadline().toMillis() + "ms",
                        "--cle.retry-period=" + timings.retryPeriod().toMillis() + "ms");
    }

    /** Stops the replica in an orderly way: its work is drained, and its lease is handed over. */
    void stop() {
        leaves = true;
        running().close();
    }

    /**
     * Ends the replica like {@code kill -9}, as far as possible within a process: its threads and connections are cut,
     * and it neither releases its lease nor receives anything any more. Its memory is kept, so that it can still be
     * checked whether it leads.
     */
    void kill() {
        leaves = true;
        running().getBean(LockThreads.class).close();
        running().getBean(KubernetesTransport.class).close();
        running().getBean(Worker.class).kill();
        chronicle.killed(name());
    }

    private ConfigurableApplicationContext running() {
        return Objects.requireNonNull(context, "not started");
    }

    @Override
    public void customize(String lease, CoordinatedLeaseLock made) {
        lock = made;
        made.addListener(new LeadershipListener() {
            @Override
            public void onAnnounced() {
                announced.complete(stopwatch.now());
            }
        });
    }

    /**
     * Waits until the replica is a candidate.
     *
     * @return when it became one, in nanoseconds since the demo began
     * @throws StoryFailedException if it doesn't become one in time
     */
    long awaitCandidacy(Duration patience) throws InterruptedException {
        try {
            return announced.get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException e) {
            throw new StoryFailedException(name() + " is no candidate after " + patience.toMillis() + " ms");
        }
    }

    @EventListener
    void granted(OnGrantedLeadership event) {
        chronicle.granted(name(), version.toString(), event.fencingToken());
    }

    @EventListener
    void revoked(OnRevokedLeadership event) {
        String reason = event.reason().name().toLowerCase(Locale.ROOT).replace('_', ' ');
        chronicle.revoked(name(), event.fencingToken(), reason);
    }

    @Override
    public String name() {
        return LEASE + "-" + identity;
    }

    @Override
    public Version version() {
        return version;
    }

    @Override
    public OptionalLong fencingToken() {
        CoordinatedLeaseLock made = lock;
        return made == null ? OptionalLong.empty() : made.fencingToken();
    }

    @Override
    public OptionalLong candidateSince() {
        Long since = announced.getNow(null);
        return leaves || since == null ? OptionalLong.empty() : OptionalLong.of(since);
    }
}
