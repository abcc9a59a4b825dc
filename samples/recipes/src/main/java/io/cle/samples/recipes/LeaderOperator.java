package io.cle.samples.recipes;

import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.cle.spring.onleader.OnLeader;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.javaoperatorsdk.operator.Operator;
import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;

/**
 * java-operator-sdk: its reconcilers run on the leader only, and a reconciliation in progress is waited for before the
 * lease is released. The operator's own leader election stays off, and java-operator-sdk's starter, which starts an
 * operator on every replica, stays out. Define the bean as
 *
 * <pre>{@code
 * new LeaderOperator(() -> new KubernetesClientBuilder().build(), operator -> operator.register(reconciler))
 * }</pre>
 *
 * <p>Each term has its own operator. An operator that is stopped and started again would regard resources whose
 * reconciliation was in progress when it stopped as still being reconciled, and never reconcile them again.
 */
@OnLeader
public class LeaderOperator implements SmartLifecycle {

    /** Longer than {@code cle.drain-timeout}, so that a reconciliation that outlasts the drain timeout is reported as an overlap. */
    private static final Duration TERMINATION = Duration.ofMinutes(5);

    private final Supplier<KubernetesClient> clients;
    private final Consumer<Operator> registrations;

    private volatile @Nullable Operator operator;

    /**
     * Leads reconcilers.
     *
     * @param clients creates the client of a term, which is closed at the end of the term
     * @param registrations registers the reconcilers with the operator of a term
     */
    public LeaderOperator(Supplier<KubernetesClient> clients, Consumer<Operator> registrations) {
        this.clients = clients;
        this.registrations = registrations;
    }

    @Override
    public void start() {
        KubernetesClient client = clients.get();
        Operator next = new Operator(settings -> settings.withKubernetesClient(client)
                .withCloseClientOnStop(false)
                .withReconciliationTerminationTimeout(TERMINATION));
        try {
            registrations.accept(next);
            next.start();
            operator = next;
        } catch (RuntimeException e) {
            end(next);
            throw e;
        }
    }

    @Override
    public void stop() {
        Operator last = operator;
        if (last != null) {
            operator = null;
            end(last);
        }
    }

    /** Also ends what an operator leaves running: a timer, and the watches of controllers that had started before another failed to. */
    private static void end(Operator operator) {
        try {
            operator.stop();
        } finally {
            operator.getKubernetesClient().close();
            operator.getConfigurationService()
                    .getExecutorServiceManager()
                    .scheduledExecutorService()
                    .shutdownNow();
        }
    }

    @Override
    public boolean isRunning() {
        return operator != null;
    }
}
