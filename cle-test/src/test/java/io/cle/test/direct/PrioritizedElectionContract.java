package io.cle.test.direct;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.cle.KeyComparison;
import io.cle.ResourceLock;
import io.cle.lock.internal.LockConfig.Takeover;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import static io.cle.test.direct.Timing.LONG;
import static io.cle.test.direct.Timing.PATIENCE;
import static io.cle.test.direct.Timing.SHORT;
import static io.cle.test.direct.Timing.within;
import static org.assertj.core.api.Assertions.assertThat;

/** Prioritized election (KEP-2835) in every kind of record: its three stories, and uncooperative holders. */
@Execution(ExecutionMode.CONCURRENT)
abstract class PrioritizedElectionContract {

    private static final Duration TAKEOVER_TIMEOUT = Duration.ofSeconds(8);

    /** The rest of the timeout gives a busy machine time to observe the request to the holder. */
    private static final Duration MOST_OF_THE_TIMEOUT = Duration.ofSeconds(5);

    private static final Duration A_WHILE = Duration.ofMillis(700);

    abstract Server server();

    private static Takeover by(KeyComparison comparison, String key) {
        return new Takeover(key, comparison, TAKEOVER_TIMEOUT);
    }

    /** Three candidates join one after the other: the second takes over from the first, and the third doesn't take over. */
    private void secondTakesOver(KeyComparison comparison, String first, String second, String third) throws Exception {
        EveryKind.play(server(), LONG, (stage, kind) -> {
            OurElector one = stage.ours(kind, "one", by(comparison, first));
            within(PATIENCE).until(one::leads);
            assertThat(stage.read(kind).holderKey()).isEqualTo(first);

            OurElector two = stage.ours(kind, "two", by(comparison, second));
            within(PATIENCE).until(two::leads);
            within(PATIENCE).until(() -> one.story().equals(List.of("leads", "revoked: END_OF_TERM")));
            assertThat(stage.read(kind).holderKey()).isEqualTo(second);

            OurElector three = stage.ours(kind, "three", by(comparison, third));
            within(PATIENCE).during(A_WHILE).until(() -> two.leads() && !three.leads());
            assertThat(stage.read(kind).askedBy()).isEmpty();
        });
    }

    @Test
    void storyOneTheNewestVersionLeads() throws Exception {
        secondTakesOver(KeyComparison.newestVersion(), "1.9.0", "1.10.0", "1.9.3");
    }

    @Test
    void storyTwoTheLargestReplicaLeads() throws Exception {
        secondTakesOver(KeyComparison.largestNumber(), "2", "16", "8");
    }

    @Test
    void storyThreeTheReplicaInTheClosestRegionLeads() throws Exception {
        KeyComparison proximity = KeyComparison.orderedList(List.of("frankfurt", "paris", "dublin"));
        secondTakesOver(proximity, "dublin", "frankfurt", "paris");
    }

    @Test
    void aHolderThatIsAskedEndsItsWorkBeforeItHandsOver() throws Exception {
        EveryKind.play(server(), LONG, (stage, kind) -> {
            OurElector small = stage.ours(kind, "small", by(KeyComparison.largestNumber(), "2"));
            within(PATIENCE).until(small::leads);
            CompletableFuture<Void> work = small.keepWorking();

            OurElector large = stage.ours(kind, "large", by(KeyComparison.largestNumber(), "16"));
            within(PATIENCE).until(() -> !small.leads());
            within(PATIENCE).during(A_WHILE).until(() -> !large.leads());
            assertThat(stage.read(kind).holder()).isEqualTo("small");

            work.complete(null);
            within(PATIENCE).until(large::leads);
        });
    }

    @Test
    void aHolderOfAnotherLibraryIsAskedFirstAndPreemptedWhenItsLeaseHasExpired() throws Exception {
        EveryKind.play(server(), SHORT, (stage, kind) -> {
            ClientJavaElector theirs = stage.clientJava(kind, "theirs");
            within(PATIENCE).until(theirs::works);

            OurElector ours = stage.ours(kind, "ours", by(KeyComparison.largestNumber(), "2"));
            within(PATIENCE).until(() -> stage.read(kind).askedBy().equals("ours"));
            within(PATIENCE).during(MOST_OF_THE_TIMEOUT).until(() -> theirs.works() && !ours.leads());

            within(PATIENCE).until(ours::leads);
            assertThat(theirs.works()).isFalse();
            assertThat(stage.read(kind).holder()).isEqualTo("ours");
            assertThat(stage.read(kind).holderKey()).isEqualTo("2");
        });
    }

    @Test
    void aHolderOfAnotherLibraryTakesWhatIsReleasedAndTheKeyBeforeItSaysNothingAboutIt() throws Exception {
        EveryKind.play(server(), SHORT, (stage, kind) -> {
            OurElector large = stage.ours(kind, "large", by(KeyComparison.largestNumber(), "16"));
            within(PATIENCE).until(large::leads);
            ClientJavaElector theirs = stage.clientJava(kind, "theirs");
            large.close();
            within(PATIENCE).until(theirs::works);

            OurElector small = stage.ours(kind, "small", by(KeyComparison.largestNumber(), "2"));
            within(PATIENCE).until(small::leads);
        });
    }

    @Test
    void comparisonsThatContradictEachOtherAreDampedAndShownOnTheEndpoint() {
        KeyComparison always = (ourKey, holderKey) -> true;
        try (Stage stage = new Stage(server(), SHORT)) {
            OurElector a = stage.ours(ResourceLock.LEASES, "a", by(always, "x"));
            OurElector b = stage.ours(ResourceLock.LEASES, "b", by(always, "y"));
            within(Duration.ofSeconds(50)).until(() -> toldOf(a) || toldOf(b));
            assertThat(a.story().size() + b.story().size())
                    .as("terms that began or ended in the meantime")
                    .isLessThan(12);
            stage.assertNoOverlap();
        }
    }

    private static boolean toldOf(OurElector elector) {
        return elector.history().stream().anyMatch(what -> what.contains("contradict each other"));
    }
}
