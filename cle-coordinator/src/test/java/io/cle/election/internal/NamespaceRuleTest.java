package io.cle.election.internal;

import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

import io.cle.model.Candidate;
import io.cle.model.ObjectKey;
import io.cle.model.internal.Moment;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Which candidates and configurations apply to a lease (safety.md#own-namespace). */
class NamespaceRuleTest {

    private static final ObjectKey LEASE = new ObjectKey("shop", "orders");
    private static final ObjectKey OWN = new ObjectKey("shop", "orders-a");
    private static final ObjectKey GUEST = new ObjectKey("allowed", "orders-g");

    private static List<CandidateObservation> candidates(ObjectKey... keys) {
        return Arrays.stream(keys)
                .map(key -> CandidateObservation.first(
                        Candidate.builder(key, LEASE).build(), new Moment(0, Instant.EPOCH), true))
                .toList();
    }

    private static ObjectKey namesake(ObjectKey key) {
        return new ObjectKey("allowed-too", key.name());
    }

    @Nested
    class AnObject {

        private final NamespaceRule allowing = new NamespaceRule(Set.of("allowed"));

        @Test
        void ofTheLeasesNamespaceMayNameTheLease() {
            assertThat(NamespaceRule.OWN_NAMESPACE_ONLY.admits(OWN, LEASE)).isTrue();
            assertThat(allowing.admits(OWN, LEASE)).isTrue();
        }

        @Test
        void ofAnotherNamespaceMayNot() {
            assertThat(NamespaceRule.OWN_NAMESPACE_ONLY.admits(GUEST, LEASE)).isFalse();
        }

        @Test
        void ofANamespaceOnTheListMayAndOfNoOtherOne() {
            assertThat(allowing.admits(GUEST, LEASE)).isTrue();
            assertThat(allowing.admits(new ObjectKey("evil", GUEST.name()), LEASE))
                    .isFalse();
        }
    }

    @Nested
    class ACandidate {

        private List<ObjectKey> counting(ObjectKey... keys) {
            return NamespaceRule.counting(LEASE, candidates(keys)).stream()
                    .map(candidate -> candidate.candidate().key())
                    .toList();
        }

        @Test
        void ofAnotherNamespaceCountsIfItsNameIsItsOwn() {
            assertThat(counting(OWN, GUEST)).containsExactlyInAnyOrder(OWN, GUEST);
        }

        @Test
        void ofTheLeasesNamespaceCountsAndItsNamesakeDoesNot() {
            assertThat(counting(OWN, namesake(OWN), GUEST)).containsExactlyInAnyOrder(OWN, GUEST);
            assertThat(counting(namesake(OWN), OWN)).containsExactly(OWN);
        }

        @Test
        void ofSeveralGuestsOfOneNameTheFirstByKeyCounts() {
            assertThat(counting(OWN, GUEST, namesake(GUEST))).containsExactlyInAnyOrder(OWN, GUEST);
            assertThat(counting(namesake(GUEST), GUEST)).containsExactly(GUEST);
        }
    }
}
