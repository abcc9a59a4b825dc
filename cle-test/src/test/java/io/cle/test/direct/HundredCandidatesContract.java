package io.cle.test.direct;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import io.cle.kubernetes.internal.store.DirectLock;
import org.junit.jupiter.api.Test;

import static io.cle.test.direct.Timing.PATIENCE;
import static io.cle.test.direct.Timing.SHORT;
import static io.cle.test.direct.Timing.within;
import static org.assertj.core.api.Assertions.assertThat;

/** A hundred candidates for one record: no two lead at once, and the API server isn't stormed. */
abstract class HundredCandidatesContract {

    private static final int CANDIDATES = 100;

    /**
     * For each term: a write that conflicts, and a read, for each at most; the rest is for watches that lag behind. On a busy machine a leader may
     * lose its term before all have seen it, and the next one is acquired at the same cost.
     */
    private static final int REQUESTS_EACH = 3;

    /** The API server. */
    abstract Server server();

    @Test
    void aReleasedOrExpiredLeaseIsAcquiredByOneAtTheCostOfFewRequests() throws Exception {
        EveryKind.play(server(), SHORT, List.of(DirectLock.LEASES, DirectLock.ENDPOINTS), (stage, kind) -> {
            List<OurElector> candidates = new ArrayList<>();
            for (int i = 0; i < CANDIDATES; i++) {
                candidates.add(stage.ours(kind, "candidate-" + i));
            }
            OurElector first = leaderThatAllFollow(candidates);
            candidates.remove(first);
            long requests = requests(candidates);
            long terms = terms(candidates);
            first.close();
            OurElector second = leaderThatAllFollow(candidates);
            assertThat(requests(candidates) - requests)
                    .as("requests after a release")
                    .isLessThan(REQUESTS_EACH * CANDIDATES * (terms(candidates) - terms));

            candidates.remove(second);
            requests = requests(candidates);
            terms = terms(candidates);
            second.cut();
            leaderThatAllFollow(candidates);
            assertThat(requests(candidates) - requests)
                    .as("requests after an expiry")
                    .isLessThan(REQUESTS_EACH * CANDIDATES * (terms(candidates) - terms));
        });
    }

    /** Once all follow it, none of them has a request under way that belongs to what came before. */
    private static OurElector leaderThatAllFollow(List<OurElector> candidates) {
        return within(PATIENCE)
                .until(
                        () -> candidates.stream()
                                .filter(OurElector::leads)
                                .filter(OurElector::toldToLead)
                                .filter(leader ->
                                        candidates.stream().allMatch(candidate -> candidate.follows(leader.identity())))
                                .findFirst(),
                        Optional::isPresent)
                .orElseThrow();
    }

    private static long terms(List<OurElector> candidates) {
        return candidates.stream()
                .flatMap(candidate -> candidate.story().stream())
                .filter("leads"::equals)
                .count();
    }

    private static long requests(List<OurElector> candidates) {
        return candidates.stream().mapToLong(OurElector::requests).sum();
    }
}
