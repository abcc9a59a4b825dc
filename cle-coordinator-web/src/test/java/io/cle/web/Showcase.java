package io.cle.web;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;

import io.cle.election.internal.CandidateObservation.Answer;
import io.cle.election.internal.ElectionView.PastTerm;
import io.cle.model.Candidate;
import io.cle.model.LeaseGroup;
import io.cle.model.ObjectKey;
import io.cle.web.view.Snapshots;

/** Leases of every kind, for screenshots and for rules that must hold for all of them. */
final class Showcase {

    private final Instant started;

    private Showcase(Instant started) {
        this.started = started;
    }

    /** Adds leases of every kind, as there could be in a cluster. */
    static void fill(FakeCoordinator coordinator) {
        new Showcase(Instant.now()).addAll(coordinator);
    }

    /** Adds a lease that has been observed for weeks: {@code shop/prices}. */
    static void addWeeks(FakeCoordinator coordinator) {
        coordinator.know("shop", "prices", new Showcase(Instant.now())::prices);
    }

    /**
     * Adds a lease with shards, {@code shop/carts}, led by some replicas.
     *
     * @param trouble whether one shard has no leader, two are moving, and replicas ask for another number
     */
    static void addShards(FakeCoordinator coordinator, int shards, int replicas, boolean trouble) {
        LeaseGroup group = new LeaseGroup("shop", "carts", shards);
        Instant started = Instant.now();
        List<Candidate> candidates = IntStream.range(0, replicas)
                .mapToObj(replica -> Snapshots.candidate(group, carts(replica), "3.2.0").toBuilder()
                        .creationTime(started.minusSeconds(900 - replica))
                        .build())
                .toList();
        for (int i = 0; i < shards; i++) {
            int index = i;
            coordinator.know("shop", group.lease(i).name(), lease -> {
                candidates.forEach(candidate -> lease.candidate(candidate, Answer.ACKNOWLEDGED));
                lease.inGroup(group);
                if (trouble && index == 11) {
                    return lease.term(new PastTerm(carts(1), started.minusSeconds(700), started.minusSeconds(40)))
                            .decided(Duration.ofSeconds(40), "candidates are asked to acknowledge");
                }
                lease.ledBy(
                        carts(index % replicas),
                        Duration.between(started, Instant.now()).plusSeconds(700 + index));
                return trouble && (index == 4 || index == 8)
                        ? lease.change(changed -> changed.endOfTerm(carts((index + 1) % replicas), null))
                        : lease;
            });
        }
        if (trouble) {
            addWaiting(coordinator, new LeaseGroup("shop", "carts", 2 * shards));
        }
    }

    private static void addWaiting(FakeCoordinator coordinator, LeaseGroup asked) {
        for (int i = 0; i < asked.shards(); i++) {
            coordinator.know(
                    "shop",
                    asked.lease(i).name(),
                    lease -> lease.inGroup(asked)
                            .candidate(
                                    Snapshots.candidate(asked, "carts-carts-7f9c-t5n1c-h7t2p", "3.3.0"),
                                    Answer.ACKNOWLEDGED));
        }
    }

    private static String carts(int replica) {
        return "carts-carts-6b7d-" + "k4x9z w1q3r p2m5v x2k8d".split(" ")[replica % 4] + replica + "-h7t2p";
    }

    private void addAll(FakeCoordinator coordinator) {
        orders(coordinator);
        addShards(coordinator, 16, 4, true);
        coordinator.know(
                "shop",
                "invoices",
                lease -> lease.candidate(
                                Snapshots.candidate(
                                        new ObjectKey("shop", "invoices"),
                                        "invoices-invoices-7c9d-q8w2k-h7t2p",
                                        "2.3.1"),
                                Answer.SILENT)
                        .term(new PastTerm(
                                "invoices-invoices-7c9d-zz01x-h7t2p",
                                started.minusSeconds(900),
                                started.minusSeconds(48)))
                        .decided(
                                Duration.ofSeconds(43),
                                "the lease has no holder, but none of 1 candidates has answered within 5000 ms; the first one that renews is elected")
                        .decided(
                                Duration.ofSeconds(48),
                                "the lease has no holder; candidates are asked to acknowledge"));
        coordinator.know(
                "billing",
                "ledger",
                lease -> lease.candidate("ledger-ledger-5f6b-9x2lm-h7t2p", "4.0.2")
                        .candidate("ledger-ledger-5f6b-hh7tq-h7t2p", "4.0.2")
                        .ledBy(
                                "ledger-ledger-5f6b-9x2lm-h7t2p",
                                Duration.between(started, Instant.now()).plusHours(27))
                        .problem(
                                "candidates of several namespaces are named ledger-ledger-5f6b-hh7tq-h7t2p; only the one of the lease's own namespace counts, if there is one"));
        coordinator.know(
                "billing",
                "statements",
                lease -> lease.candidate("statements-statements-6d8f-b1-h7t2p", "1.9.0")
                        .candidate("statements-statements-6d8f-c2-h7t2p", "1.10.0")
                        .ledBy(
                                "statements-statements-6d8f-c2-h7t2p",
                                Duration.between(started, Instant.now()).plusMinutes(11))
                        .change(changed -> changed.endOfTerm("statements-statements-6d8f-b1-h7t2p", null)));
        coordinator.know(
                "kube-system",
                "legacy-scheduler",
                lease -> lease.ledBy(
                                "master-1_4f2a",
                                Duration.between(started, Instant.now()).plusDays(12))
                        .strategy("NoCoordination"));
        coordinator.know(
                "shop",
                "recommendations",
                lease -> lease.strategy("HighestPriority")
                        .candidate(prioritized("recommendations-recommendations-0-h7t2p", 20), Answer.ACKNOWLEDGED)
                        .candidate(prioritized("recommendations-recommendations-1-v9x2m", 10), Answer.UNASKED)
                        .ledBy(
                                "recommendations-recommendations-0-h7t2p",
                                Duration.between(started, Instant.now()).plusMinutes(64)));
        coordinator.know(
                "shop",
                "search-index",
                lease -> lease.candidate(
                                Snapshots.candidate(
                                        new ObjectKey("shop", "search-index"),
                                        "search-index-search-index-5d8c-r2d2x-h7t2p",
                                        "1.0.0"),
                                Answer.PENDING)
                        .decided(Duration.ofSeconds(1), "there is no lease yet; candidates are asked to acknowledge"));
    }

    private static Candidate prioritized(String name, int priority) {
        return Snapshots.candidate(new ObjectKey("shop", "recommendations"), name, "3.1.0").toBuilder()
                .priority(priority)
                .build();
    }

    /** Adds weeks of terms: an upgrade each working day, with a hand-over within milliseconds, and one crash. */
    private Snapshots.Builder prices(Snapshots.Builder lease) {
        Instant from = started.minus(Duration.ofDays(24));
        for (int day = 0; day < 24; day++) {
            Instant until = from.plus(Duration.ofDays(1));
            boolean crash = day == 17;
            lease.term(new PastTerm(
                    "prices-prices-6f5c-" + day + "-h7t2p",
                    from,
                    day == 23 ? null : until.minusMillis(crash ? 14_200 : 18)));
            from = until;
        }
        return lease.candidate("prices-prices-6f5c-23-h7t2p", "7.4.0")
                .change(changed -> changed.holder("prices-prices-6f5c-23-h7t2p")
                        .electedBy("coordinated-election-controller")
                        .acquireTime(started.minus(Duration.ofDays(1)))
                        .renewTime(started)
                        .managed(true)
                        .transitions(23))
                .renewedBefore(Duration.ofSeconds(1));
    }

    /** Adds a lease during a rolling upgrade. */
    private void orders(FakeCoordinator coordinator) {
        ObjectKey key = new ObjectKey("shop", "orders");
        coordinator.know(
                "shop",
                "orders",
                lease -> lease.candidate(
                                Snapshots.candidate(key, "orders-orders-6b7d-k4x9z-h7t2p", "1.28.0"),
                                Answer.ACKNOWLEDGED)
                        .candidate(
                                Snapshots.candidate(key, "orders-orders-6b7d-p2m5v-h7t2p", "1.28.0").toBuilder()
                                        .creationTime(Snapshots.NOW.minus(Duration.ofMinutes(2)))
                                        .build(),
                                Answer.UNASKED)
                        .candidate(
                                Snapshots.candidate(key, "orders-orders-7f9c-x2k8d-h7t2p", "1.29.0"),
                                Answer.ACKNOWLEDGED)
                        .term(new PastTerm(
                                "orders-orders-6b7d-w1q3r-h7t2p",
                                started.minusSeconds(1500),
                                started.minusSeconds(700)))
                        .term(new PastTerm(
                                "orders-orders-7f9c-t5n1c-h7t2p",
                                started.minusMillis(699_979),
                                started.minusSeconds(420)))
                        .term(new PastTerm(
                                "orders-orders-6b7d-p2m5v-h7t2p", started.minusSeconds(406), started.minusSeconds(192)))
                        .ledBy(
                                "orders-orders-6b7d-k4x9z-h7t2p",
                                Duration.between(started, Instant.now()).plusSeconds(192))
                        .change(changed -> changed.transitions(3))
                        .decided(
                                Duration.between(started, Instant.now()).plusSeconds(191),
                                "orders-orders-6b7d-k4x9z-h7t2p (compatibility version 1.28.0) leads, and no candidate is better by OldestCompatibilityVersion (asked for by the candidates)")
                        .decided(
                                Duration.between(started, Instant.now()).plusSeconds(192),
                                "orders-orders-6b7d-k4x9z-h7t2p (compatibility version 1.28.0) is the best of 3 candidates by OldestCompatibilityVersion (asked for by the candidates); the lease has no holder")
                        .decided(
                                Duration.between(started, Instant.now()).plusSeconds(406),
                                "orders-orders-6b7d-p2m5v-h7t2p (compatibility version 1.28.0) is the best of 3 candidates; the lease of orders-orders-7f9c-t5n1c-h7t2p has expired"));
    }
}
