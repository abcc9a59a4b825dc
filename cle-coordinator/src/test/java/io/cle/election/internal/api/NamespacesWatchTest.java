package io.cle.election.internal.api;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.cle.model.ObjectKey;
import io.cle.model.internal.Lease;
import io.cle.store.internal.WatchEvent;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** One watch made of the watches of several namespaces. Rule: {@code safety.md#seen-everything}. */
class NamespacesWatchTest {

    private final List<WatchEvent<Lease>> events = new ArrayList<>();
    private final NamespacesWatch<Lease> watch = new NamespacesWatch<>(List.of("a", "b"), Lease::key, events::add);

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
    void theFirstSnapshotIsPassedOnWhenEachNamespaceHasBeenListed() {
        Lease one = lease("a", "1", "x");
        Lease two = lease("b", "2", "y");

        watch.onEvent("a", new WatchEvent.Snapshot<>(List.of(one)));
        watch.onEvent("a", new WatchEvent.Changed<>(lease("a", "3", "x")));
        assertThat(events).isEmpty();
        watch.onEvent("b", new WatchEvent.Snapshot<>(List.of(two)));

        assertThat(lastSnapshot()).containsExactlyInAnyOrder(lease("a", "3", "x"), two);
        assertThat(events).hasSize(1);
    }

    @Test
    void aSnapshotOfOneNamespaceComesWithWhatIsKnownOfTheOthers() {
        Lease one = lease("a", "1", "x");
        Lease changed = lease("b", "3", "z");
        watch.onEvent("a", new WatchEvent.Snapshot<>(List.of(one)));
        watch.onEvent("b", new WatchEvent.Snapshot<>(List.of(lease("b", "2", "y"))));

        watch.onEvent("b", new WatchEvent.Changed<>(changed));
        watch.onEvent("a", new WatchEvent.Snapshot<>(List.of()));
        assertThat(lastSnapshot()).containsExactly(changed);
        watch.onEvent("b", new WatchEvent.Removed<>(changed.key(), "4"));
        watch.onEvent("a", new WatchEvent.Snapshot<>(List.of(one)));
        assertThat(lastSnapshot()).containsExactly(one);
    }

    @Test
    void aMalformedObjectIsReportedAgainAfterASnapshotOfAnotherNamespace() {
        WatchEvent.Malformed<Lease> malformed = new WatchEvent.Malformed<>(new ObjectKey("a", "orders"), "no holder");
        watch.onEvent("a", new WatchEvent.Snapshot<>(List.of()));
        watch.onEvent("a", malformed);
        watch.onEvent("b", new WatchEvent.Snapshot<>(List.of()));
        assertThat(events).containsExactly(new WatchEvent.Snapshot<>(List.of()), malformed);

        watch.onEvent("a", new WatchEvent.Changed<>(lease("a", "2", "x")));
        events.clear();
        watch.onEvent("b", new WatchEvent.Snapshot<>(List.of()));
        assertThat(events).singleElement().isInstanceOf(WatchEvent.Snapshot.class);
    }

    @Test
    void aNamespaceThatMayNotBeReadHoldsUpNoOtherOne() {
        Lease one = lease("a", "1", "x");
        WatchEvent.Interrupted<Lease> forbidden =
                new WatchEvent.Interrupted<>("403", Duration.ofSeconds(1), true, "list");
        watch.onEvent("b", forbidden);
        watch.onEvent("a", new WatchEvent.Snapshot<>(List.of(one)));
        watch.onEvent("b", new WatchEvent.Interrupted<>("500", Duration.ofSeconds(1)));
        assertThat(events)
                .as("one that fails otherwise is waited for")
                .noneMatch(WatchEvent.Snapshot.class::isInstance);

        watch.onEvent("b", forbidden);
        assertThat(events).endsWith(new WatchEvent.Snapshot<>(List.of(one)), forbidden);

        watch.onEvent("b", new WatchEvent.Snapshot<>(List.of(lease("b", "2", "y"))));
        assertThat(lastSnapshot()).containsExactlyInAnyOrder(one, lease("b", "2", "y"));
    }

    @Test
    void whereNoNamespaceMayBeReadNothingPassesForSeen() {
        WatchEvent.Interrupted<Lease> forbidden =
                new WatchEvent.Interrupted<>("403", Duration.ofSeconds(1), true, "list");
        watch.onEvent("a", forbidden);
        watch.onEvent("b", forbidden);
        watch.onEvent("a", forbidden);

        assertThat(events).containsOnly(forbidden);
    }

    @Test
    void aBrokenWatchIsReportedBeforeTheFirstSnapshot() {
        watch.onEvent("b", new WatchEvent.Interrupted<>("forbidden", Duration.ofSeconds(1)));

        assertThat(events).singleElement().isInstanceOf(WatchEvent.Interrupted.class);
    }
}
