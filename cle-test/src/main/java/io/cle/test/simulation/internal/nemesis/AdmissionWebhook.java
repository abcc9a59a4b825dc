package io.cle.test.simulation.internal.nemesis;

import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Consumer;

import io.cle.kubernetes.internal.transport.ApiRequest;
import io.cle.test.simulation.Scenario;
import io.cle.test.simulation.internal.process.History;
import io.cle.test.simulation.internal.process.VirtualProcess;
import io.cle.test.simulation.internal.process.VirtualTime;
import io.cle.test.simulation.internal.server.Network;
import org.jspecify.annotations.Nullable;

/**
 * An admission webhook for leases that is down now and then: the API server fails every write of a lease, and answers every read. Checks that
 * no process writes again and again meanwhile (safety.md#unknown-outcome).
 */
public final class AdmissionWebhook implements Network.Admission {

    private static final long SECOND = 1_000_000_000L;

    /** Back-off begins anew when a term ends, and a conflict isn't waited for. */
    private static final int WRITES_AT_ONCE = 20;

    private final Scenario scenario;
    private final VirtualTime time;
    private final SplittableRandom random;
    private final Network network;
    private final Consumer<String> violations;
    private final History history;
    private final Map<Writer, Integer> writes = new HashMap<>();
    private boolean down;
    private long downSince;
    private boolean over;

    /**
     * A process that writes a lease: a coordinator writes that of the coordinators, too.
     *
     * @param lease {@code null} for one that is to be created
     */
    private record Writer(VirtualProcess process, @Nullable String lease) {}

    /**
     * A webhook that is up.
     *
     * @param violations takes what processes must not have done
     */
    public AdmissionWebhook(
            Scenario scenario,
            VirtualTime time,
            SplittableRandom random,
            Network network,
            Consumer<String> violations,
            History history) {
        this.scenario = scenario;
        this.time = time;
        this.random = random;
        this.network = network;
        this.violations = violations;
        this.history = history;
    }

    /** Is asked about every write of a lease from now on, and is down for up to four lease durations at a time. */
    public void begin() {
        network.admission(this);
        goDownSoon();
    }

    private void goDownSoon() {
        time.after(random.nextLong(20 * SECOND), () -> {
            if (!over) {
                history.line("webhook", "is down");
                down = true;
                downSince = time.now();
                writes.clear();
                time.after(
                        random.nextLong(4 * scenario.timings().leaseDuration().toNanos()), () -> {
                            comeUp();
                            goDownSoon();
                        });
            }
        });
    }

    /** Is up from now on. */
    public void end() {
        comeUp();
        over = true;
    }

    private void comeUp() {
        if (down) {
            history.line("webhook", "is up");
        }
        down = false;
    }

    @Override
    public boolean admits(VirtualProcess process, ApiRequest request) {
        if (!down
                || !request.verb().writes()
                || !request.resource().equals(scenario.kind().resource())) {
            return true;
        }
        int sent = writes.merge(new Writer(process, request.name()), 1, Integer::sum);
        long retryPeriods =
                (time.now() - downSince) / scenario.timings().retryPeriod().toNanos();
        if (sent > WRITES_AT_ONCE + 2 * retryPeriods) {
            violations.accept(process.name() + " has written a lease " + sent + " times in " + retryPeriods
                    + " retry periods in which no write succeeded");
        }
        return false;
    }
}
