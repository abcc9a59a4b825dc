package io.cle.test.interop;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

import io.cle.kubernetes.DirectLock;
import io.cle.model.ObjectKey;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * client-java's own elector and ours on one record, in every kind that client-java knows. In real time, as client-java sleeps; the
 * kinds side by side.
 */
@Execution(ExecutionMode.CONCURRENT)
abstract class ClientJavaElectorContract {

    private static final List<DirectLock> KINDS =
            List.of(DirectLock.LEASES, DirectLock.ENDPOINTS, DirectLock.CONFIGMAPS);
    private static final String NAMESPACE = "default";

    /** Longer than any wait here should take; where one takes so long, something is broken. */
    private static final Duration PATIENCE = Duration.ofSeconds(15);

    /** client-java looks every one to two seconds. */
    private static final Duration UNTIL_IT_WOULD_HAVE_EXPIRED = Timing.LEASE.plusSeconds(2);

    /** A released record is taken within 100 ms; the rest is for a machine with other things to do. */
    private static final Duration AT_ONCE = Duration.ofSeconds(1);

    /** The API server; the namespace {@code default} has to be there. */
    abstract Server server();

    private static ConditionFactory within(Duration limit) {
        return await().pollInterval(Duration.ofMillis(5))
                .pollDelay(Duration.ZERO)
                .atMost(limit);
    }

    /** What happens to one record. */
    @FunctionalInterface
    private interface Scenario {
        void play(Stage stage);
    }

    private void forEveryKind(Scenario scenario) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(KINDS.size());
        try {
            List<Future<?>> played = new ArrayList<>();
            for (DirectLock kind : KINDS) {
                played.add(threads.submit(() -> {
                    try (Stage stage = new Stage(server(), kind)) {
                        scenario.play(stage);
                        assertThat(stage.overlaps.get())
                                .as("instants at which two led by " + kind)
                                .isZero();
                    }
                    return null;
                }));
            }
            for (Future<?> one : played) {
                one.get(2, TimeUnit.MINUTES);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    /** One record, those who stand for it, and somebody who looks every millisecond whether two lead. */
    private static final class Stage implements AutoCloseable {

        private final Server server;
        private final DirectLock kind;
        private final ObjectKey key = new ObjectKey(
                NAMESPACE, "shared-" + UUID.randomUUID().toString().substring(0, 8));
        private final List<BooleanSupplier> claims = new ArrayList<>();
        private final List<Runnable> closings = new ArrayList<>();
        private final AtomicInteger overlaps = new AtomicInteger();
        private final ScheduledExecutorService checker = Executors.newSingleThreadScheduledExecutor();

        private Stage(Server server, DirectLock kind) {
            this.server = server;
            this.kind = kind;
            checker.scheduleWithFixedDelay(this::check, 0, 1, TimeUnit.MILLISECONDS);
        }

        private synchronized void check() {
            if (claims.stream().filter(BooleanSupplier::getAsBoolean).count() > 1) {
                overlaps.incrementAndGet();
            }
        }

        private synchronized ClientJavaElector clientJava(String identity) {
            ClientJavaElector elector = ClientJavaElector.start(server, kind, key, identity);
            closings.add(elector::close);
            claims.add(elector::works);
            return elector;
        }

        private synchronized OurElector ours(String identity) {
            OurElector elector = OurElector.start(server, kind, key, identity);
            closings.add(elector::close);
            claims.add(elector::leads);
            return elector;
        }

        private SharedRecord read() {
            return SharedRecord.read(server.api(), kind, key);
        }

        @Override
        public void close() {
            checker.shutdownNow();
            closings.forEach(Runnable::run);
        }
    }

    @Test
    void whatOneReleasesTheOtherTakesAndNobodyTakesWhatIsRenewed() throws Exception {
        forEveryKind(stage -> {
            ClientJavaElector theirs = stage.clientJava("theirs");
            within(PATIENCE).until(theirs::works);
            OurElector ours = stage.ours("ours");
            within(PATIENCE).during(UNTIL_IT_WOULD_HAVE_EXPIRED).until(() -> theirs.works() && !ours.leads());
            SharedRecord byThem = stage.read();

            theirs.close();
            within(AT_ONCE).until(ours::leads);
            SharedRecord byUs = stage.read();
            assertThat(byUs.holder()).isEqualTo("ours");
            assertThat(byUs.fields()).isEqualTo(byThem.fields());

            ClientJavaElector again = stage.clientJava("theirs-again");
            within(PATIENCE).during(UNTIL_IT_WOULD_HAVE_EXPIRED).until(() -> ours.leads() && !again.works());
            ours.close();
            assertThat(stage.read().holder()).isEmpty();
            within(PATIENCE).until(again::works);
            assertThat(stage.read().holder()).isEqualTo("theirs-again");
            assertThat(stage.read().transitions()).isGreaterThan(byUs.transitions());
        });
    }

    @Test
    void whatOneLosesTheOtherTakesWhenItHasExpired() throws Exception {
        forEveryKind(stage -> {
            ClientJavaElector theirs = stage.clientJava("theirs");
            within(PATIENCE).until(theirs::works);
            OurElector ours = stage.ours("ours");

            theirs.cut();
            within(PATIENCE).until(ours::leads);
            assertThat(theirs.works()).isFalse();

            ClientJavaElector again = stage.clientJava("theirs-again");
            ours.cut();
            within(PATIENCE).until(again::works);
            assertThat(ours.leads()).isFalse();
        });
    }

    @Test
    void annotationsHaveClientGosFormByteForByte() throws Exception {
        for (DirectLock kind : List.of(DirectLock.ENDPOINTS, DirectLock.CONFIGMAPS)) {
            try (Stage stage = new Stage(server(), kind)) {
                OurElector ours = stage.ours("ours <&> \"quoted\"");
                within(PATIENCE).until(ours::leads);
                assertThat(stage.read().text()).matches(SharedRecord.CLIENT_GO_FORM);
                assertThat(stage.read().holder()).isEqualTo("ours <&> \"quoted\"");
                ours.close();
                assertThat(stage.read().text()).matches(SharedRecord.CLIENT_GO_FORM);
            }
        }
    }
}
