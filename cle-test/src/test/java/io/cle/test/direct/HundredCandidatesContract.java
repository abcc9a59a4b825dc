package io.cle.test.direct;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

import io.cle.ResourceLock;
import io.cle.Timings;
import org.junit.jupiter.api.Test;

import static io.cle.test.direct.Timing.CROWDED;
import static io.cle.test.direct.Timing.LONG;
import static io.cle.test.direct.Timing.PATIENCE;
import static io.cle.test.direct.Timing.within;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A hundred candidates for one record: no two lead at once, and they send few requests. No other test runs meanwhile,
 * because on a busy machine the candidates would leave its electors too little time to renew.
 */
abstract class HundredCandidatesContract {

    private static final int CANDIDATES = 100;

    /** At most a conflicting write and a read per candidate; the rest is for watches that lag behind. */
    private static final int REQUESTS_EACH = 3;

    abstract Server server();

    @Test
    void aReleasedLeaseIsAcquiredByOneAtTheCostOfFewRequests() throws Exception {
        costsFewRequests(LONG, OurElector::close);
    }

    @Test
    void anExpiredLeaseIsAcquiredByOneAtTheCostOfFewRequests() throws Exception {
        costsFewRequests(CROWDED, OurElector::cut);
    }

    /** Ends a leader's term with {@code end}, and counts the requests until all follow the next leader. */
    private void costsFewRequests(Timings timings, Consumer<OurElector> end) throws Exception {
        EveryKind.play(server(), timings, List.of(ResourceLock.LEASES, ResourceLock.ENDPOINTS), (stage, kind) -> {
            List<OurElector> candidates = new ArrayList<>();
            for (int i = 0; i < CANDIDATES; i++) {
                candidates.add(stage.ours(kind, "candidate-" + i));
            }
            OurElector first = leaderThatAllFollow(candidates);
            candidates.remove(first);
            int before = requests(candidates);
            end.accept(first);
            leaderThatAllFollow(candidates);
            assertThat(requests(candidates) - before)
                    .as("requests after the end of the first term")
                    .isLessThan(REQUESTS_EACH * CANDIDATES);
        });
    }

    /** Waits until all candidates follow a leader: none of their requests in flight belongs to an earlier term. */
    private static OurElector leaderThatAllFollow(List<OurElector> candidates) {
        return within(PATIENCE)
                .until(
                        () -> candidates.stream()
                                .filter(OurElector::leads)
                                .filter(leader ->
                                        candidates.stream().allMatch(candidate -> candidate.follows(leader.identity())))
                                .findFirst(),
                        Optional::isPresent)
                .orElseThrow();
    }

    private static int requests(List<OurElector> candidates) {
        return candidates.stream().mapToInt(OurElector::requests).sum();
    }
}
