package io.cle.election.internal;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.cle.election.internal.api.ConfigurationStatus;
import io.cle.election.internal.api.LeaseConfiguration;
import io.cle.election.internal.api.PodState;
import io.cle.lock.internal.VirtualLoop;
import io.cle.model.Candidate;
import io.cle.model.ObjectKey;
import io.cle.model.PodRef;
import io.cle.model.Version;
import io.cle.model.internal.Lease;
import io.cle.model.internal.TermAnnotation;
import io.cle.store.internal.WatchEvent;
import io.cle.strategy.internal.Strategies;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Which candidates and configurations apply to a lease: safety.md#own-namespace. */
class CrossNamespaceTest {

    private static final ObjectKey LEASE = new ObjectKey("shop", "orders");
    private static final ObjectKey LEADER = new ObjectKey("shop", "orders-a");
    private static final ObjectKey STRANGER = new ObjectKey("evil", "orders-x");

    /** Long enough without a renewal for the coordinator to check the holder's pod, and too short for the lease to expire. */
    private static final Duration MISSED_RENEWAL = Duration.ofSeconds(6);

    private final VirtualLoop loop = new VirtualLoop();
    private final ApiInMemory api = new ApiInMemory(loop);
    private ObservingCoordinator coordinator = coordinator(NamespaceRule.OWN_NAMESPACE_ONLY);

    private ObservingCoordinator coordinator(NamespaceRule namespaces) {
        return new ObservingCoordinator(
                new CoordinatorConfig(Strategies.builtIn(), Map.of(), ElectionPolicy.DEFAULT, namespaces), api, loop);
    }

    private Candidate.Builder candidate(ObjectKey key, String version) {
        return Candidate.builder(key, LEASE)
                .binaryVersion(Version.parse(version))
                .compatibilityVersion(Version.parse(version))
                .renewTime(loop.clock().wall())
                .pod(new PodRef(new ObjectKey(key.namespace(), "pod-of-" + key.name()), "uid"));
    }

    private void joins(ObjectKey key, String version) {
        joins(candidate(key, version));
    }

    private void joins(Candidate.Builder candidate) {
        coordinator.onCandidate(new WatchEvent.Changed<>(api.put(candidate.build())));
        reconcile(LEASE);
    }

    private void reconcile(ObjectKey lease) {
        for (int i = 0; i < 10; i++) {
            LeaseReconciler.Outcome outcome =
                    coordinator.reconcile(lease).toCompletableFuture().join();
            if (outcome.recheckIn().isEmpty() || !outcome.recheckIn().get().isZero()) {
                return;
            }
        }
        throw new AssertionError("no rest after 10 reconciliations: " + coordinator.view(lease));
    }

    /** The elected candidate begins its term. */
    private void leads(ObjectKey candidate) {
        Lease lease = api.leases().get(LEASE);
        assertThat(lease.holder()).isEqualTo(candidate.name());
        Lease begun = lease.toBuilder()
                .renewTime(loop.clock().wall())
                .term(TermAnnotation.begun(
                        "nonce",
                        "w1",
                        lease.leaseDuration(),
                        candidate.name(),
                        lease.acquireTime(),
                        TermAnnotation.Ended.NOTHING))
                .build();
        coordinator.onLease(new WatchEvent.Changed<>(api.put(begun)));
        reconcile(LEASE);
    }

    private Lease lease() {
        return api.leases().get(LEASE);
    }

    private ElectionView view(ObjectKey lease) {
        return coordinator.view(lease).orElseThrow();
    }

    @Nested
    class CandidateOfAnotherNamespace {

        @Test
        void candidateOfAnotherNamespaceDeposesNoLeader() {
            joins(LEADER, "1.0.0");
            leads(LEADER);

            joins(STRANGER, "0.0.1");

            assertThat(lease().endOfTerm()).isFalse();
            assertThat(view(LEASE).candidates()).hasSize(1);
        }

        @Test
        void ofTheLeasesOwnNamespaceWouldDeposeTheLeader() {
            joins(LEADER, "1.0.0");
            leads(LEADER);

            joins(new ObjectKey("shop", "orders-x"), "0.0.1");

            assertThat(lease().preferredHolder()).isEqualTo("orders-x");
        }

        @Test
        void candidateOfAnotherNamespaceGetsNoLease() {
            joins(STRANGER, "1.0.0");

            assertThat(api.leases()).isEmpty();
        }

        @Test
        void candidateOfAnotherNamespaceDoesNotSwitchTheElectionOff() {
            joins(candidate(STRANGER, "1.0.0").strategy("NoCoordination"));
            joins(LEADER, "1.0.0");

            assertThat(lease().holder()).isEqualTo("orders-a");
        }

        @Test
        void candidateOfAnotherNamespaceBearingTheLeadersNameHasNoPodReadAndNoLeaderReplaced() {
            joins(LEADER, "1.0.0");
            leads(LEADER);
            joins(new ObjectKey("evil", LEADER.name()), "1.0.0");
            api.pod = new PodState.Unclear("not asked");

            loop.advance(MISSED_RENEWAL);
            reconcile(LEASE);

            assertThat(api.podsRead)
                    .isNotEmpty()
                    .allMatch(pod -> pod.key().namespace().equals("shop"));
        }

        @Test
        void candidateOfAnotherNamespaceIsReportedOnceInItsOwnNamespace() {
            joins(STRANGER, "1.0.0");
            coordinator.onCandidate(new WatchEvent.Changed<>(
                    api.put(candidate(STRANGER, "1.0.0").priority(7).build())));
            reconcile(STRANGER);

            assertThat(api.events())
                    .singleElement()
                    .asString()
                    .startsWith("ForeignNamespace")
                    .contains("LeaseCandidate evil/orders-x", "shop/orders", "adding evil to the cross-namespace list");
            assertThat(api.eventsAbout()).containsExactly(STRANGER);
        }

        @Test
        void candidateOfAnotherNamespaceCountsFromTheMomentItNamesALeaseOfItsOwnNamespace() {
            joins(STRANGER, "1.0.0");
            ObjectKey own = new ObjectKey("evil", "orders");
            coordinator.onCandidate(new WatchEvent.Changed<>(api.put(Candidate.builder(STRANGER, own)
                    .renewTime(loop.clock().wall())
                    .build())));
            reconcile(own);
            reconcile(STRANGER);

            assertThat(api.leases().get(own).holder()).isEqualTo(STRANGER.name());
            assertThat(coordinator.view(STRANGER)).isEmpty();
        }

        @Test
        void candidateOfAnotherNamespaceLeavesTheLeaseThatItCountedForWhenItNamesAnotherNamespaces() {
            ObjectKey own = new ObjectKey("evil", "orders");
            coordinator.onCandidate(new WatchEvent.Changed<>(api.put(Candidate.builder(STRANGER, own)
                    .renewTime(loop.clock().wall())
                    .build())));
            reconcile(own);
            assertThat(view(own).candidates()).hasSize(1);

            joins(STRANGER, "1.0.0");

            assertThat(view(own).candidates()).isEmpty();
        }
    }

    @Nested
    class ConfigurationOfAnotherNamespace {

        private void configured(String namespace) {
            coordinator.onConfiguration(new WatchEvent.Changed<>(new LeaseConfiguration(
                    new ObjectKey(namespace, "off"), LEASE, "NoCoordination", 1, ConfigurationStatus.NONE)));
        }

        @Test
        void configurationOfAnotherNamespaceIsIgnoredAndReported() {
            configured("evil");
            joins(LEADER, "1.0.0");

            assertThat(lease().holder()).isEqualTo("orders-a");
            assertThat(api.events()).anyMatch(event -> event.contains("LeaseConfiguration evil/off"));
        }

        @Test
        void configurationOfAnotherNamespaceLearnsThatItMayNotFromItsStatusAndNothingOfTheOtherNamespace() {
            configured("shop");
            configured("evil");

            ConfigurationStatus status = api.reports.get(new ObjectKey("evil", "off"));
            assertThat(status.conditions().get(0).reason()).isEqualTo("ForeignNamespace");
            assertThat(status.conditions()).noneMatch(condition -> condition.holds());
            assertThat(status.toString()).doesNotContain("shop/off");
        }

        @Test
        void configurationOfAnotherNamespaceWouldCountInTheLeasesOwnNamespace() {
            configured("shop");
            joins(LEADER, "1.0.0");

            assertThat(lease().holder()).isNull();
            assertThat(view(LEASE).past().decisions().get(0).reason()).contains("NoCoordination");
        }

        @Test
        void configurationOfAnotherNamespaceGivesWayToOneOfTheLeasesOwnNamespaceWhereItIsAllowed() {
            coordinator = coordinator(new NamespaceRule(Set.of("allowed")));
            coordinator.onConfiguration(new WatchEvent.Changed<>(new LeaseConfiguration(
                    new ObjectKey("allowed", "a"), LEASE, "NoCoordination", 1, ConfigurationStatus.NONE)));
            coordinator.onConfiguration(new WatchEvent.Changed<>(new LeaseConfiguration(
                    new ObjectKey("shop", "z"), LEASE, "NewestCompatibilityVersion", 1, ConfigurationStatus.NONE)));
            joins(LEADER, "1.0.0");

            assertThat(view(LEASE).strategy().name()).isEqualTo("NewestCompatibilityVersion");
        }
    }

    @Nested
    class AllowedNamespace {

        private final ObjectKey guest = new ObjectKey("allowed", "orders-g");

        private AllowedNamespace() {
            coordinator = coordinator(new NamespaceRule(Set.of("allowed", "allowed-too")));
        }

        @Test
        void allowedNamespaceHasCandidatesThatLeadALeaseOfAnotherNamespace() {
            joins(LEADER, "1.0.0");
            leads(LEADER);

            joins(guest, "0.9.0");

            assertThat(lease().preferredHolder()).isEqualTo("orders-g");
        }

        @Test
        void allowedNamespaceGetsNoLeaseCreated() {
            joins(guest, "1.0.0");

            assertThat(api.leases()).isEmpty();
            assertThat(view(LEASE).past().decisions().get(0).reason()).contains("create the lease shop/orders");
        }

        @Test
        void allowedNamespaceGetsNoLeaseAdopted() {
            api.put(Lease.builder(LEASE).holder("another-component").build());
            coordinator.onLease(new WatchEvent.Changed<>(lease()));

            joins(guest, "1.0.0");
            assertThat(lease().managed()).isFalse();
            assertThat(view(LEASE).past().decisions().get(0).reason()).contains("not managed");

            joins(LEADER, "1.0.0");
            assertThat(lease().managed()).isTrue();
        }

        @Test
        void allowedNamespaceBearingTheNameOfAnOwnCandidateDoesNotCount() {
            joins(LEADER, "1.0.0");
            leads(LEADER);

            joins(new ObjectKey("allowed", LEADER.name()), "0.0.1");

            assertThat(view(LEASE).candidates())
                    .extracting(standing -> standing.candidate().key())
                    .containsExactly(LEADER);
            assertThat(lease().endOfTerm()).isFalse();
        }

        @Test
        void allowedNamespaceBearingTheNameOfAnotherGuestCountsIfItIsTheFirstByKey() {
            joins(LEADER, "1.0.0");
            joins(guest, "0.9.0");
            assertThat(view(LEASE).candidates()).hasSize(2);

            joins(new ObjectKey("allowed-too", guest.name()), "0.9.0");

            assertThat(view(LEASE).candidates())
                    .extracting(standing -> standing.candidate().key())
                    .containsExactlyInAnyOrder(LEADER, guest);
        }

        @Test
        void allowedNamespaceHasNoPodReadForItsHolder() {
            joins(LEADER, "1.0.0");
            leads(LEADER);
            joins(guest, "0.9.0");
            coordinator.onLease(new WatchEvent.Changed<>(api.put(lease().toBuilder()
                    .holder(guest.name())
                    .holderPod("uid")
                    .term(TermAnnotation.begun(
                            "nonce",
                            "w1",
                            lease().leaseDuration(),
                            guest.name(),
                            lease().acquireTime(),
                            TermAnnotation.Ended.NOTHING))
                    .noEndOfTerm()
                    .build())));

            loop.advance(MISSED_RENEWAL);
            reconcile(LEASE);

            assertThat(api.podsRead).isEmpty();
        }

        @Test
        void allowedNamespaceBearingTheLeadersNameHasNoPodRead() {
            joins(LEADER, "1.0.0");
            leads(LEADER);
            joins(new ObjectKey("allowed", LEADER.name()), "1.0.0");
            api.pod = new PodState.Unclear("not asked");

            loop.advance(MISSED_RENEWAL);
            reconcile(LEASE);

            assertThat(api.podsRead)
                    .isNotEmpty()
                    .allMatch(pod -> pod.key().namespace().equals("shop"));
        }

        @Test
        void allowedNamespaceWithdrawingANamesakeOfTheLeaderIsNotTakenForTheLeadersWithdrawal() {
            joins(LEADER, "1.0.0");
            leads(LEADER);
            ObjectKey namesake = new ObjectKey("allowed", LEADER.name());
            joins(namesake, "1.0.0");

            coordinator.onCandidate(new WatchEvent.Removed<>(namesake, null));
            reconcile(LEASE);

            assertThat(view(LEASE).past().decisions().get(0).reason()).contains("orders-a", "leads");
            assertThat(view(LEASE).past().decisions().get(0).reason()).doesNotContain("has withdrawn its candidacy");
        }
    }

    @Test
    void aHolderOfTheOwnNamespaceHasItsPodRead() {
        joins(LEADER, "1.0.0");
        leads(LEADER);

        loop.advance(MISSED_RENEWAL);
        reconcile(LEASE);

        assertThat(api.podsRead).extracting(PodRef::key).isEqualTo(List.of(new ObjectKey("shop", "pod-of-orders-a")));
    }
}
