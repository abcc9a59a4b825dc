package io.cle.kubernetes;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.cle.api.WatchEvent;
import io.cle.model.Lease;
import io.cle.model.ObjectKey;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** One watch made of the watches of several namespaces. */
class NamespacesWatchTest {

    private final List<WatchEvent<Lease>> events = new ArrayList<>();

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
}
