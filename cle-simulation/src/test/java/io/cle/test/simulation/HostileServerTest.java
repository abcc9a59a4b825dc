package io.cle.test.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.read.ListAppender;
import com.google.gson.JsonObject;
import io.cle.Timings;
import io.cle.election.internal.Coordinator;
import io.cle.election.internal.CoordinatorConfig;
import io.cle.election.internal.ElectionPolicy;
import io.cle.election.internal.NamespaceRule;
import io.cle.election.internal.Workers;
import io.cle.election.internal.api.CoordinatorClient;
import io.cle.kubernetes.internal.client.CandidateClient;
import io.cle.kubernetes.internal.client.LeaseClient;
import io.cle.kubernetes.internal.client.ObjectClient;
import io.cle.kubernetes.internal.json.Json;
import io.cle.kubernetes.internal.json.MalformedObjectException;
import io.cle.kubernetes.internal.transport.ApiRequest;
import io.cle.kubernetes.internal.transport.ApiResponse;
import io.cle.kubernetes.internal.transport.KubernetesTransport;
import io.cle.kubernetes.internal.transport.ResourceType;
import io.cle.lock.internal.LeaseLock;
import io.cle.lock.internal.LockConfig;
import io.cle.lock.internal.LockStores;
import io.cle.lock.internal.LockThreads;
import io.cle.loop.internal.EventLoop;
import io.cle.model.Candidate;
import io.cle.model.ObjectKey;
import io.cle.model.Version;
import io.cle.store.internal.Subscription;
import io.cle.strategy.internal.Strategies;
import io.cle.test.apiserver.memory.WatchListener;
import io.cle.test.hostile.HostileSeeds;
import io.cle.test.hostile.HostileText;
import io.cle.test.simulation.internal.process.DriftingClock;
import io.cle.test.simulation.internal.process.SimulatedEntropy;
import io.cle.test.simulation.internal.process.VirtualProcess;
import io.cle.test.simulation.internal.process.VirtualTime;
import io.cle.test.simulation.internal.server.SimulatedServer;
import io.cle.test.simulation.scenario.ClusterKind;
import io.cle.test.simulation.scenario.Scenario;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A coordinator and candidates on an API server that makes one in four answers and events hostile. For two minutes nothing in them
 * fails; afterwards, processes started on the same objects elect a leader. Who leads meanwhile is not checked, because the compare
 * and swap of such a server means nothing.
 */
class HostileServerTest {

    private static final long SECOND = 1_000_000_000L;
    private static final Set<ClusterKind> KINDS =
            EnumSet.of(ClusterKind.COORDINATED, ClusterKind.NATIVE_THIRD_PARTY, ClusterKind.CONFIG_MAPS);

    @Test
    void nothingFailsAndALeaderComesAfterwards() {
        HostileSeeds.run(4, seed -> {
            for (ClusterKind kind : KINDS) {
                new Run(kind, seed).run();
            }
        });
    }

    /** One cluster. */
    private static final class Run implements VirtualProcess.Observer, SimulatedServer.Auditor {
        private final ClusterKind kind;
        private final VirtualTime time = new VirtualTime();
        private final SplittableRandom random;
        private final HostileText text;
        private final SimulatedServer server;
        private final List<String> failures = new ArrayList<>();
        private final List<LeaseLock> locks = new ArrayList<>();
        private int processes;
        private boolean hostile = true;

        Run(ClusterKind kind, long seed) {
            this.kind = kind;
            random = new SplittableRandom(seed);
            text = new HostileText(seed);
            VirtualProcess itself = new VirtualProcess("kube-apiserver", time, new DriftingClock(time, 1, 0, 0), this);
            server = new SimulatedServer(time, random.split(), kind, this, itself);
        }

        void run() {
            ListAppender<ILoggingEvent> logged = new ListAppender<>();
            logged.start();
            Logger logger = (Logger) LoggerFactory.getLogger("io.cle");
            logger.addAppender(logged);
            try {
                startAll();
                advance(120 * SECOND);
                hostile = false;
                startAll();
                for (int i = 0; i < 240 && leaders() == 0; i++) {
                    advance(time.now() + SECOND);
                }
            } finally {
                logger.detachAppender(logged);
            }
            logged.list.stream()
                    .filter(event -> event.getLevel().isGreaterOrEqual(Level.ERROR))
                    .forEach(event -> failures.add(event.getFormattedMessage() + ": "
                            + (event.getThrowableProxy() == null
                                    ? ""
                                    : ThrowableProxyUtil.asString(event.getThrowableProxy()))));
            assertThat(failures)
                    .as(kind + ", by what failed or was logged as an error")
                    .isEmpty();
            assertThat(leaders()).as(kind + ", leaders without hostile bytes").isPositive();
        }

        private void advance(long until) {
            boolean more = true;
            while (more && failures.isEmpty()) {
                more = time.advance(until);
            }
        }

        private long leaders() {
            return locks.stream().filter(LeaseLock::isLeader).count();
        }

        private void startAll() {
            if (kind.coordinated()) {
                startCoordinator();
            }
            startCandidate("a", "1.28.0");
            startCandidate("b", "1.29.0");
        }

        private VirtualProcess process(String name) {
            return new VirtualProcess(name + "#" + ++processes, time, new DriftingClock(time, 1, 0, 0), this);
        }

        private void startCoordinator() {
            VirtualProcess process = process("coordinator");
            EventLoop loop = process.loop();
            ObjectClient client =
                    new ObjectClient(new Transport(process), loop, random, Timings.DEFAULT.requestTimeout());
            CoordinatorConfig config = new CoordinatorConfig(
                    Strategies.builtIn(),
                    Map.of(),
                    new ElectionPolicy(Duration.ofSeconds(5), Timings.DEFAULT.leaseDuration()),
                    NamespaceRule.OWN_NAMESPACE_ONLY);
            Coordinator coordinator = new Coordinator(config, loop, random, Workers.DIRECT, reason -> {}, () -> {});
            process.run(() -> {
                coordinator.use(
                        new CoordinatorClient(client, ResourceType.candidates(kind.format()), Set.of(), "test"));
                coordinator.coordinate();
            });
        }

        private void startCandidate(String name, String version) {
            VirtualProcess process = process(name);
            EventLoop loop = process.loop();
            ObjectClient client =
                    new ObjectClient(new Transport(process), loop, random, Timings.DEFAULT.requestTimeout());
            String identity = "orders-" + name + processes;
            boolean coordinated = kind.coordinated();
            Candidate template = Candidate.builder(new ObjectKey(Scenario.LEASE.namespace(), identity), Scenario.LEASE)
                    .binaryVersion(Version.parse(version))
                    .compatibilityVersion(Version.parse(version))
                    .strategy(coordinated ? kind.strategies().get(0) : "NoCoordination")
                    .build();
            LockConfig config = new LockConfig(
                    Scenario.LEASE,
                    identity,
                    Timings.DEFAULT,
                    Duration.ofSeconds(5),
                    new LockConfig.Fallback(true, Duration.ofSeconds(30)),
                    coordinated ? new LockConfig.Candidacy(template, Duration.ofSeconds(300)) : null,
                    null,
                    kind.renewTimeStep());
            LeaseLock lock = new LeaseLock(
                    config,
                    new LockStores(
                                    coordinated
                                            ? LeaseClient.of(client, kind.format(), null)
                                            : LeaseClient.of(client, Objects.requireNonNull(kind.direct()), null),
                                    coordinated ? new CandidateClient(client, kind.format()) : null)
                            .always(),
                    new SimulatedEntropy("n" + processes),
                    LockThreads.of(loop, process.thread(() -> 0)));
            locks.add(lock);
            process.run(lock::start);
        }

        @Override
        public void stepped(VirtualProcess process) {}

        @Override
        public void failed(VirtualProcess process, RuntimeException failure) {
            failures.add(process.name() + ": " + failure + " at " + failure.getStackTrace()[0]);
        }

        @Override
        public void changed(String type, JsonObject object, @Nullable VirtualProcess by) {}

        @Override
        public void died(String what) {}

        /** Returns the object that a process receives: one in four is changed into a hostile one. */
        private JsonObject received(JsonObject sent) throws MalformedObjectException {
            return hostile && text.below(4) == 0 ? Json.parseObject(text.mutatedText(sent)) : sent;
        }

        /** A connection on which one object in four is hostile. */
        private final class Transport implements KubernetesTransport {
            private final VirtualProcess process;

            Transport(VirtualProcess process) {
                this.process = process;
            }

            @Override
            public CompletionStage<ApiResponse> send(ApiRequest request) {
                CompletableFuture<ApiResponse> stage = new CompletableFuture<>();
                time.after(1_000_000, () -> {
                    ApiResponse.Answered answer = server.handle(request, process);
                    time.after(
                            1_000_000,
                            () -> process.run(() -> {
                                try {
                                    stage.complete(
                                            new ApiResponse.Answered(answer.status(), received(answer.body()), null));
                                } catch (MalformedObjectException e) {
                                    stage.complete(new ApiResponse.Unanswered(e.problem()));
                                }
                            }));
                });
                return stage;
            }

            @Override
            public Subscription watch(ApiRequest request, KubernetesTransport.WatchStream stream) {
                Watch watch = new Watch(stream);
                time.after(1_000_000, () -> watch.open(request));
                return watch;
            }

            @Override
            public void close() {}

            private final class Watch implements Subscription, WatchListener {
                private final KubernetesTransport.WatchStream client;
                private io.cle.test.apiserver.memory.@Nullable WatchStream opened;
                private boolean over;

                Watch(KubernetesTransport.WatchStream client) {
                    this.client = client;
                }

                void open(ApiRequest request) {
                    try {
                        opened = server.watch(request, this);
                    } catch (IllegalStateException refused) {
                        // The version to begin at came from a hostile list, and the API server can't read it.
                        end(new WatchEnd.NotOpened(String.valueOf(refused.getMessage())));
                    }
                }

                @Override
                public void onEvent(JsonObject event) {
                    time.after(
                            1_000_000,
                            () -> process.run(() -> {
                                if (over) {
                                    return;
                                }
                                try {
                                    client.onEvent(received(event));
                                } catch (MalformedObjectException e) {
                                    end(new WatchEnd.Broken(e.problem()));
                                }
                            }));
                }

                @Override
                public void onEnd() {
                    end(new WatchEnd.Completed());
                }

                private void end(WatchEnd how) {
                    if (!over) {
                        over = true;
                        time.after(1_000_000, () -> process.run(() -> client.onEnd(how)));
                        close();
                    }
                }

                @Override
                public void close() {
                    over = true;
                    if (opened != null) {
                        opened.close();
                    }
                }
            }
        }
    }
}
