package io.cle.kubernetes;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import io.cle.api.WatchEvent;
import io.cle.model.Lease;
import io.cle.model.ObjectKey;
import io.cle.model.TermMark;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Watches made of watches: of several namespaces, and of the two records of a multi-lock. */
class CombinedWatchesTest {

    private static final ObjectKey ORDERS = new ObjectKey("shop", "orders");
    private final List<WatchEvent<Lease>> events = new ArrayList<>();
    private boolean writing;

    private static Lease lease(String namespace, String version, String holder) {
        return Lease.builder(new ObjectKey(namespace, "orders"))
                .resourceVersion(version)
                .holder(holder)
                .build();
    }

    private List<Lease> lastSnapshot() {
        return ((WatchEvent.Snapshot<Lease>) events.get(events.size() - 1)).objects();
    }

    @Test
    void aSnapshotOfOneNamespaceComesWithWhatIsKnownOfTheOthers() {
        NamespacesWatch<Lease> watch = new NamespacesWatch<>(Lease::key, events::add);
        Lease one = lease("a", "1", "x");
        Lease two = lease("b", "2", "y");
        Lease changed = lease("b", "3", "z");

        watch.onEvent("a", new WatchEvent.Snapshot<>(List.of(one)));
        assertThat(lastSnapshot()).containsExactly(one);
        watch.onEvent("b", new WatchEvent.Snapshot<>(List.of(two)));
        assertThat(lastSnapshot()).containsExactlyInAnyOrder(one, two);
        watch.onEvent("b", new WatchEvent.Changed<>(changed));
        watch.onEvent("a", new WatchEvent.Snapshot<>(List.of()));
        assertThat(lastSnapshot()).containsExactly(changed);
        watch.onEvent("b", new WatchEvent.Removed<>(two.key(), "4"));
        watch.onEvent("a", new WatchEvent.Snapshot<>(List.of(one)));
        assertThat(lastSnapshot()).containsExactly(one);
        watch.onEvent("a", new WatchEvent.Malformed<>(one.key(), "garbage"));
        watch.onEvent("b", new WatchEvent.Snapshot<>(List.of()));
        assertThat(lastSnapshot()).isEmpty();
        assertThat(events).hasSize(8);
    }

    @Test
    void aNamespaceThatCannotBeReadHoldsNobodyUp() {
        NamespacesWatch<Lease> watch = new NamespacesWatch<>(Lease::key, events::add);

        watch.onEvent("b", new WatchEvent.Interrupted<>("forbidden", Duration.ofSeconds(1)));
        watch.onEvent("a", new WatchEvent.Snapshot<>(List.of(lease("a", "1", "x"))));

        assertThat(events.get(0)).isInstanceOf(WatchEvent.Interrupted.class);
        assertThat(lastSnapshot()).hasSize(1);
    }

    private PairWatch pairWatch() {
        return new PairWatch(ORDERS, LeasePair::combined, () -> writing, events::add);
    }

    /** A watch that has told of both records, of version 5 and 6. */
    private PairWatch watchOfRecordsHeldByA() {
        PairWatch watch = pairWatch();
        watch.onPrimary(new WatchEvent.Snapshot<>(List.of(lease("shop", "5", "a"))));
        watch.onSecondary(new WatchEvent.Snapshot<>(List.of(lease("shop", "6", "a"))));
        events.clear();
        return watch;
    }

    @Test
    void bothRecordsAreAwaitedBeforeAnythingIsTold() {
        PairWatch watch = pairWatch();

        watch.onPrimary(new WatchEvent.Snapshot<>(List.of(lease("shop", "5", "a"))));
        assertThat(events).isEmpty();
        watch.onSecondary(new WatchEvent.Snapshot<>(List.of(lease("shop", "6", "a"))));

        assertThat(lastSnapshot()).singleElement().satisfies(lease -> {
            assertThat(lease.holder()).isEqualTo("a");
            assertThat(lease.resourceVersion()).isEqualTo("6");
        });
    }

    @Test
    void aChangeOfEitherRecordIsAChangeAndTheEndOfBothIsTheEnd() {
        PairWatch watch = pairWatch();
        watch.onPrimary(new WatchEvent.Snapshot<>(List.of()));
        watch.onSecondary(new WatchEvent.Snapshot<>(List.of()));
        assertThat(lastSnapshot()).isEmpty();
        events.clear();

        watch.onPrimary(new WatchEvent.Changed<>(lease("shop", "7", "a")));
        watch.onSecondary(new WatchEvent.Changed<>(lease("shop", "8", "b")));
        watch.onPrimary(new WatchEvent.Removed<>(ORDERS, "9"));
        watch.onSecondary(new WatchEvent.Removed<>(ORDERS, "10"));

        assertThat(events.subList(0, 3))
                .extracting(
                        event -> ((WatchEvent.Changed<Lease>) event).object().holder())
                .containsExactly("a", Lease.UNKNOWN_HOLDER, "b");
        assertThat(events.get(3)).isInstanceOf(WatchEvent.Removed.class);
        assertThat(events).hasSize(4);
    }

    @Test
    void whatThisProcessHasHalfWrittenIsNotToldBeforeTheWriteHasEnded() {
        PairWatch watch = watchOfRecordsHeldByA();

        writing = true;
        watch.onPrimary(new WatchEvent.Changed<>(lease("shop", "7", "b")));
        watch.writeEnded(new ObjectKey("shop", "another"), null);
        watch.writeEnded(ORDERS, null);
        assertThat(events).as("while another write is under way").isEmpty();
        writing = false;
        watch.writeEnded(ORDERS, null);
        watch.writeEnded(ORDERS, null);

        assertThat(events)
                .singleElement()
                .isInstanceOfSatisfying(
                        WatchEvent.Changed.class,
                        changed ->
                                assertThat(((Lease) changed.object()).holder()).isEqualTo(Lease.UNKNOWN_HOLDER));
    }

    @Test
    void severalThingsThatCameDuringAWriteAreToldAsOneSnapshot() {
        PairWatch watch = watchOfRecordsHeldByA();

        writing = true;
        watch.onPrimary(new WatchEvent.Changed<>(lease("shop", "7", "b")));
        watch.onSecondary(new WatchEvent.Changed<>(lease("shop", "8", "b")));
        writing = false;
        watch.writeEnded(ORDERS, null);

        assertThat(events).hasSize(1);
        assertThat(lastSnapshot())
                .singleElement()
                .satisfies(lease -> assertThat(lease.holder()).isEqualTo("b"));
    }

    @Test
    void whatThisProcessHasWrittenIsToldOnceAndNothingOlderAfterwards() {
        PairWatch watch = watchOfRecordsHeldByA();
        Lease one = lease("shop", "8", "b");
        Lease two = lease("shop", "9", "b");

        watch.writeEnded(ORDERS, new LeasePair(one, two));
        watch.onPrimary(new WatchEvent.Changed<>(lease("shop", "7", "a")));
        watch.onSecondary(new WatchEvent.Removed<>(ORDERS, "7"));
        watch.writeEnded(ORDERS, new LeasePair(one, two));

        assertThat(events).containsExactly(new WatchEvent.Changed<>(two));
    }

    @Test
    void whatThisProcessHasWrittenTakesNothingBackThatCameSince() {
        PairWatch watch = watchOfRecordsHeldByA();

        writing = true;
        watch.onPrimary(new WatchEvent.Changed<>(lease("shop", "7", "b")));
        watch.onPrimary(new WatchEvent.Removed<>(ORDERS, "9"));
        writing = false;
        watch.writeEnded(ORDERS, new LeasePair(lease("shop", "7", "b"), lease("shop", "8", "b")));

        assertThat(lastSnapshot())
                .singleElement()
                .satisfies(lease -> assertThat(lease.resourceVersion()).isEqualTo("8"));
    }

    @Test
    void aRecordThatCannotBeUnderstoodIsToldAndNothingIsUntilItCan() {
        PairWatch watch = watchOfRecordsHeldByA();

        watch.onSecondary(new WatchEvent.Malformed<>(ORDERS, "garbage"));
        watch.onPrimary(new WatchEvent.Changed<>(lease("shop", "7", "a")));
        assertThat(events).singleElement().isInstanceOf(WatchEvent.Malformed.class);

        watch.onSecondary(new WatchEvent.Changed<>(lease("shop", "8", "a")));
        assertThat(events).last().isInstanceOf(WatchEvent.Changed.class);
    }

    private static Lease held(String version, String nonce, int renewed) {
        return lease("shop", version, "a").toBuilder()
                .acquireTime(Instant.EPOCH)
                .renewTime(Instant.EPOCH.plusSeconds(renewed))
                .term(TermMark.begun("a", nonce, Instant.EPOCH, Duration.ofSeconds(15)))
                .build();
    }

    @Test
    void recordsOfOneTermAreRenewedByWhoeverRenewsOneOfThem() {
        assertThat(new LeasePair(held("5", "n1", 9), held("6", "n1", 3))
                        .combined()
                        .renewTime())
                .isEqualTo(Instant.EPOCH.plusSeconds(3));
        assertThat(new LeasePair(held("7", "n1", 9), held("6", "n1", 3))
                        .combined()
                        .renewTime())
                .isEqualTo(Instant.EPOCH.plusSeconds(9));
    }

    @Test
    void recordsOfTwoTermsOfOneHolderDisagree() {
        Lease combined = new LeasePair(held("5", "n1", 1), held("6", "n2", 1)).combined();

        assertThat(combined.holderKnown()).isFalse();
    }

    @Test
    void aRequestToYieldCountsOnWhicheverRecordItStands() {
        Lease asked = held("6", "n1", 1).toBuilder().endOfTerm("b", "7").build();

        Lease combined = new LeasePair(held("5", "n1", 1), asked).combined();

        assertThat(combined.endOfTerm()).isTrue();
        assertThat(combined.preferredHolder()).isEqualTo("b");
        assertThat(combined.preferredKey()).isEqualTo("7");
    }

    @Test
    void recordsThatDisagreeLiveAsLongAsTheLongerOfThem() {
        Lease primary = lease("shop", "5", "a").toBuilder()
                .leaseDuration(Duration.ofSeconds(10))
                .renewTime(Instant.EPOCH.plusSeconds(9))
                .electedBy("somebody")
                .build();
        Lease secondary = lease("shop", "4", "b").toBuilder()
                .leaseDuration(Duration.ofSeconds(20))
                .renewTime(Instant.EPOCH)
                .build();

        Lease combined = new LeasePair(primary, secondary).combined();

        assertThat(combined.holder()).isEqualTo(Lease.UNKNOWN_HOLDER);
        assertThat(combined.leaseDuration()).isEqualTo(Duration.ofSeconds(20));
        assertThat(combined.renewTime()).isEqualTo(Instant.EPOCH.plusSeconds(9));
        assertThat(combined.resourceVersion()).isEqualTo("5");
        assertThat(combined.electedBy()).isNull();
        assertThat(combined.confirmed())
                .as("nobody may take it before it expires")
                .isTrue();
        assertThat(new LeasePair(null, null).combined()).isNull();
    }
}
