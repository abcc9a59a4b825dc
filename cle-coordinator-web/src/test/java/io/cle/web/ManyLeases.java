package io.cle.web;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

import io.cle.election.internal.CandidateObservation.Answer;
import io.cle.election.internal.ElectionView;
import io.cle.model.ObjectKey;
import io.cle.web.view.CoordinatorSnapshot;
import io.cle.web.view.Snapshots;

/**
 * A platform team's coordinator for screenshots and limits: twenty leases per namespace; of a hundred, one has no
 * leader, one a clock that is wrong, and one candidates that don't acknowledge. All is as of its creation. Immutable.
 */
final class ManyLeases implements CoordinatorSnapshots {

    private static final List<String> NAMES = List.of(
            "orders",
            "invoices",
            "ledger",
            "catalog",
            "search-index",
            "recommendations",
            "shipping-labels",
            "payments",
            "refunds",
            "statements",
            "audit-export",
            "mail-digest",
            "fx-rates",
            "inventory-sync",
            "price-feed",
            "session-cleanup",
            "report-builder",
            "tax-filing",
            "webhooks",
            "archive-compaction");
    private static final List<String> TEAMS =
            List.of("shop", "billing", "logistics", "search", "identity", "analytics", "platform", "warehouse");
    private static final String LETTERS = "bcdfghjklmnpqrstvwxz2456789";

    private final Instant now = Instant.now();
    private final Random random = new Random(1);
    private final CoordinatorSnapshot all;

    private ManyLeases(int count) {
        all = Snapshots.at(now, IntStream.range(0, count).mapToObj(this::lease).toList());
    }

    /** Creates one with this many leases. */
    static ManyLeases of(int count) {
        return new ManyLeases(count);
    }

    @Override
    public CoordinatorSnapshot all() {
        return all;
    }

    @Override
    public CoordinatorSnapshot one(ObjectKey lease) {
        return Snapshots.at(
                now, all.leases().stream().filter(it -> it.key().equals(lease)).toList());
    }

    private ElectionView lease(int index) {
        int namespace = index / NAMES.size();
        String team = TEAMS.get(namespace % TEAMS.size());
        int number = namespace / TEAMS.size();
        ObjectKey key = new ObjectKey(number == 0 ? team : team + "-" + number, NAMES.get(index % NAMES.size()));
        Snapshots.Builder lease = Snapshots.lease(key.namespace(), key.name()).now(now);
        int kind = index % 100;
        if (kind == 37) {
            return lease.decided(Duration.ofSeconds(60 + random.nextInt(9_000)), "there is no candidate")
                    .build();
        }
        String replicaSet = key.name() + "-" + letters(9);
        String leader = identity(key, replicaSet);
        lease.candidate(leader, "1.8.0");
        for (int i = 0; i < 2; i++) {
            lease.candidate(
                    Snapshots.candidate(key, identity(key, replicaSet), "1.9." + i),
                    kind == 61 ? Answer.SILENT : Answer.UNASKED);
        }
        if (kind == 83) {
            lease.problem("candidates of several namespaces are named " + leader + "-" + random.nextInt(80)
                    + "; only the one of the lease's own namespace counts, if there is one");
        }
        return lease.ledBy(leader, Duration.ofSeconds(1 + random.nextInt(1_000_000)))
                .build();
    }

    /** Returns an identity as of a Deployment's pod: the lease, the pod's name and a random suffix. */
    private String identity(ObjectKey lease, String replicaSet) {
        return lease.name() + "-" + replicaSet + "-" + letters(5) + "-" + letters(5);
    }

    private String letters(int count) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < count; i++) {
            text.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
        }
        return text.toString();
    }
}
