package io.cle.election.internal;

import java.time.Duration;
import java.util.List;

import io.cle.lock.internal.VirtualLoop;
import io.cle.loop.internal.LoggedLines;
import io.cle.model.ObjectKey;
import io.cle.model.internal.ApiResult;
import io.cle.model.internal.Lease;
import io.cle.store.internal.WatchEvent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

class CoordinatorJournalTest {

    @RegisterExtension
    final LoggedLines log = new LoggedLines(CoordinatorJournal.class);

    private final VirtualLoop loop = new VirtualLoop();
    private final CoordinatorJournal journal = new CoordinatorJournal(new ApiInMemory(loop).client, loop, reason -> {});

    private void interrupted(String message, boolean again) {
        journal.watched("leases", new WatchEvent.Interrupted<>(message, Duration.ofSeconds(1), again, null));
    }

    private void listed() {
        journal.watched("leases", new WatchEvent.Snapshot<>(List.of()));
    }

    private static Lease lease(int number) {
        return Lease.builder(new ObjectKey("shop", "orders-" + number)).build();
    }

    @Test
    void anInterruptedWatchIsOneLineHoweverOftenAndWhyAndOneWhenItEnds() {
        listed();
        interrupted("GET /namespaces/shop/leases: connection refused", false);
        interrupted("GET /namespaces/billing/leases: forbidden", false);
        loop.advance(Duration.ofSeconds(12));
        listed();
        listed();

        assertThat(log.lines())
                .containsExactly(
                        "WARN Watch of leases interrupted: GET /namespaces/shop/leases: connection refused",
                        "INFO No longer, after 12 s: Watch of leases interrupted");
    }

    @Test
    void aKindThatIsNotServedIsNamedWithWhatToApply() {
        journal.watched("lease configurations", new WatchEvent.NotServed<>("apply leaseconfigurations.yaml"));

        assertThat(log.lines())
                .containsExactly("WARN There are no lease configurations: apply leaseconfigurations.yaml");
    }

    @Test
    void aWatchThatFailsWhileListsSucceedIsOneLineUntilItRecovers() {
        for (int i = 0; i < 100; i++) {
            interrupted("GET /leases: too old resource version: " + i, true);
            listed();
        }
        journal.watched("leases", new WatchEvent.Recovered<>(Duration.ofSeconds(42)));

        assertThat(log.lines())
                .containsExactly(
                        "WARN Watch of leases keeps failing; falling back to lists: GET /leases: too old resource"
                                + " version: 0",
                        "INFO No longer, after 0 s: Watch of leases keeps failing; falling back to lists");
    }

    @Test
    void aRequestThatFailsIsOneLineUntilItSucceeds() {
        journal.outcome("Candidates can't be read", new ApiResult.Refused<>(403, "forbidden", null));
        journal.outcome("Candidates can't be read", new ApiResult.OutcomeUnknown<>("timed out"));
        journal.outcome("Candidates can't be read", new ApiResult.Ok<>("a"));

        assertThat(log.lines())
                .containsExactly(
                        "WARN Candidates can't be read: refused with status 403: forbidden",
                        "INFO No longer, after 0 s: Candidates can't be read");
    }

    @Test
    void warningsAboutManyObjectsOfANamespaceAreCountedAndThoseOfOthersAreLogged() {
        for (int i = 0; i < 1000; i++) {
            journal.warn(lease(i), "Malformed", "no version");
        }
        journal.warn(Lease.builder(new ObjectKey("office", "jobs")).build(), "Malformed", "no version");
        loop.advance(Duration.ofSeconds(6));

        assertThat(log.lines())
                .hasSize(5)
                .contains("WARN Lease office/jobs: no version")
                .last()
                .isEqualTo("WARN 997 more leases of namespace shop: Malformed has begun; each is logged at DEBUG");
    }

    @Test
    void warningsAboutOneObjectAreAFewHoweverOftenItChanges() {
        for (int i = 0; i < 1000; i++) {
            journal.warn(lease(1), "Malformed", "no version");
        }
        loop.advance(Duration.ofSeconds(6));

        assertThat(log.lines()).hasSizeLessThan(10);
    }
}
