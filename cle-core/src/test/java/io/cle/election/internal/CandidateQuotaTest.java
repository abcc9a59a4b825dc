package io.cle.election.internal;

import java.time.Instant;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;

import io.cle.election.internal.CandidateQuota.Member;
import io.cle.model.ObjectKey;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/** Which candidates of a namespace count if there are too many (safety.md#too-many-candidates). */
class CandidateQuotaTest {

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private final CandidateQuota quota = new CandidateQuota(3);
    private final NavigableSet<Member> counting = new TreeSet<>();
    private Set<String> holders = Set.of();

    private static Member member(String name, int createdAt) {
        return new Member(new ObjectKey("shop", name), START.plusSeconds(createdAt));
    }

    /** The one that is passed over, or "none". */
    private String surplus(Member newcomer) {
        return quota.surplus(counting, newcomer, key -> holders.contains(key.name()))
                .map(member -> member.key().name())
                .orElse("none");
    }

    private void threeCount() {
        counting.add(member("a", 1));
        counting.add(member("b", 2));
        counting.add(member("c", 3));
    }

    @Test
    void allCountWhileThereIsRoom() {
        counting.add(member("a", 1));
        counting.add(member("b", 2));

        assertThat(surplus(member("c", 3))).isEqualTo("none");
    }

    @Test
    void atLeastOneHasToCount() {
        assertThatIllegalArgumentException().isThrownBy(() -> new CandidateQuota(0));
    }

    @Nested
    class NewcomerWithoutRoom {

        @Test
        void newcomerWithoutRoomIsPassedOverIfItIsTheNewest() {
            threeCount();

            assertThat(surplus(member("d", 4))).isEqualTo("d");
        }

        @Test
        void newcomerWithoutRoomCountsInPlaceOfTheNewestIfItIsOlder() {
            threeCount();

            assertThat(surplus(member("early", 0))).isEqualTo("c");
        }

        @Test
        void newcomerWithoutRoomCountsInPlaceOfTheNewestIfItIsAsOldAndItsNameIsSmaller() {
            threeCount();

            assertThat(surplus(member("cc", 3))).isEqualTo("cc");
            assertThat(surplus(member("bb", 3))).isEqualTo("c");
        }

        @Test
        void newcomerWithoutRoomIsPassedOverIfItsAgeIsNotKnown() {
            threeCount();

            assertThat(surplus(new Member(new ObjectKey("shop", "a0"), null))).isEqualTo("a0");
        }
    }

    @Nested
    class CandidateOfAHolder {

        @Test
        void candidateOfAHolderCountsHoweverNewItIs() {
            threeCount();
            holders = Set.of("d");

            assertThat(surplus(member("d", 4))).isEqualTo("c");
        }

        @Test
        void candidateOfAHolderIsNotPassedOverForAnOlderOne() {
            threeCount();
            holders = Set.of("c");

            assertThat(surplus(member("early", 0))).isEqualTo("b");
        }

        @Test
        void candidateOfAHolderIsNotPassedOverForANewcomerIfAllThatAreNewerAreHolders() {
            threeCount();
            holders = Set.of("c");

            assertThat(surplus(member("bb", 2))).isEqualTo("bb");
        }

        @Test
        void candidateOfAHolderCountsBesidesIfAllThatCountAreHolders() {
            threeCount();
            holders = Set.of("a", "b", "c", "d");

            assertThat(surplus(member("early", 0))).isEqualTo("early");
            assertThat(surplus(member("d", 4))).isEqualTo("none");
        }
    }
}
