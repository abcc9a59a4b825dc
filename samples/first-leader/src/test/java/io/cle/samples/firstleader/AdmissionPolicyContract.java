package io.cle.samples.firstleader;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

import io.cle.samples.firstleader.Review.Account;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

/** The requests that the shipped admission policies refuse and allow. */
@TestInstance(Lifecycle.PER_CLASS)
abstract class AdmissionPolicyContract {

    static final String OURS = "orders-a-x2k9z";
    static final String OTHERS = "orders-b-7f9cq";
    private static final Account POD_A = Review.pod("a");
    private static final Account POD_B = Review.pod("b");

    /** Returns why a request is refused; empty if it is allowed. */
    abstract Optional<String> refuses(Review review);

    /** Returns the uid of a pod: {@code a}, {@code b} or {@code orders-a}. */
    abstract String uid(String pod);

    @Nested
    class OnCandidates {

        private Map<String, Object> candidate(String name, String lease, String ownerPod) {
            Map<String, Object> metadata = new HashMap<>(Map.of("name", name, "namespace", Review.NAMESPACE));
            if (!ownerPod.isEmpty()) {
                metadata.put(
                        "ownerReferences",
                        List.of(Map.of("apiVersion", "v1", "kind", "Pod", "name", ownerPod, "uid", uid(ownerPod))));
            }
            Map<String, Object> spec =
                    new HashMap<>(Map.of("canLeadLease", lease, "renewTime", "2026-01-01T00:00:00.000000Z"));
            if (lease.endsWith("-*")) {
                spec.put(
                        "group", lease.endsWith("-16-*") ? Map.of("shards", 16) : Map.of("leases", List.of("billing")));
            }
            return new HashMap<>(
                    Map.of("apiVersion", "coordination.cle.io/v1alpha1", "metadata", metadata, "spec", spec));
        }

        private Optional<String> written(Account account, Map<String, Object> after, Map<String, Object> before) {
            return refuses(Review.of(account, "LeaseCandidate", after, before));
        }

        @Test
        void aPodCreatesRenewsAndWithdrawsItsOwn() {
            Map<String, Object> own = candidate(OURS, "shop/orders", "a");

            assertThat(written(POD_A, own, null)).isEmpty();
            assertThat(written(POD_A, own, own)).isEmpty();
            assertThat(written(POD_A, null, own)).isEmpty();
        }

        @Test
        void aPodCreatesItsOwnForTheShardsOfALease() {
            assertThat(written(POD_A, candidate(OURS, "shop/orders-16-*", "a"), null))
                    .isEmpty();
            for (String name : List.of(OTHERS, "orders-16-a-x2k9z", "invoices-a-x2k9z")) {
                assertThat(written(POD_A, candidate(name, "shop/orders-16-*", "a"), null))
                        .as(name)
                        .isPresent();
            }
            assertThat(written(POD_A, candidate(OURS, "shop/orders-16-3", "a"), null))
                    .isPresent();
        }

        @Test
        void aPodCreatesItsOwnForAGroupOfLeases() {
            assertThat(written(POD_A, candidate("jobs-a-x2k9z", "shop/jobs-*", "a"), null))
                    .isEmpty();
            for (String name : List.of("jobs-b-x2k9z", OURS, "jobs--a-x2k9z")) {
                assertThat(written(POD_A, candidate(name, "shop/jobs-*", "a"), null))
                        .as(name)
                        .isPresent();
            }
        }

        @Test
        void aPodCreatesItsOwnInTheNativeFormat() {
            Map<String, Object> own = candidate("natively-a-x2k9z", "", "a");
            own.put("apiVersion", "coordination.k8s.io/v1beta1");
            own.put(
                    "spec",
                    Map.of(
                            "leaseName",
                            "natively",
                            "binaryVersion",
                            "1.0.0",
                            "emulationVersion",
                            "1.0.0",
                            "strategy",
                            "coordination.cle.io/OldestCompatibilityVersion"));

            assertThat(written(POD_A, own, null)).isEmpty();
            assertThat(written(POD_B, own, null)).isPresent();
        }

        @Test
        void anOwnerThatIsAnotherPodOrNoneIsRefused() {
            assertThat(written(POD_A, candidate(OURS, "shop/orders", "b"), null))
                    .hasValueSatisfying(message -> assertThat(message).contains("only owner"));
            assertThat(written(POD_A, candidate(OURS, "shop/orders", ""), null)).isPresent();
        }

        @Test
        void aTokenThatIsBoundToNoPodIsRefused() {
            assertThat(written(Account.OF_NO_POD, candidate(OURS, "shop/orders", "a"), null))
                    .hasValueSatisfying(message -> assertThat(message).contains("token of a pod"));
        }

        @Test
        void aNameOfAnotherPodOrAnotherLeaseIsRefused() {
            for (String name : List.of(OTHERS, "invoices-a-x2k9z", "orders-a")) {
                assertThat(written(POD_A, candidate(name, "shop/orders", "a"), null))
                        .as(name)
                        .isPresent();
            }
        }

        @Test
        void aLeaseOfAnotherNamespaceIsRefused() {
            // The other namespace's name has the same length, because the rule on the candidate's name strips that
            // many characters.
            assertThat(written(POD_A, candidate(OURS, "bill/orders", "a"), null))
                    .hasValueSatisfying(message -> assertThat(message).contains("lease of its own namespace"));
        }

        @Test
        void theCandidateOfAnotherPodIsNeitherChangedNorDeleted() {
            Map<String, Object> own = candidate(OURS, "shop/orders", "a");
            Map<String, Object> others = candidate(OURS, "shop/orders", "b");

            assertThat(written(POD_A, own, others)).isPresent();
            assertThat(written(POD_A, null, others)).isPresent();
        }

        /** A candidate with a finalizer would outlast its pod, and so would its namespace. */
        @Test
        @SuppressWarnings("unchecked")
        void aFinalizerIsRefused() {
            Map<String, Object> own = candidate(OURS, "shop/orders", "a");
            Map<String, Object> kept = candidate(OURS, "shop/orders", "a");
            ((Map<String, Object>) kept.get("metadata")).put("finalizers", List.of("example.com/kept"));

            assertThat(written(POD_A, kept, null))
                    .hasValueSatisfying(message -> assertThat(message).contains("finalizer"));
            assertThat(written(POD_A, kept, own)).isPresent();
        }

        @Test
        void theCoordinatorPingsAndTheGarbageCollectorDeletes() {
            Map<String, Object> others = candidate(OTHERS, "shop/orders", "b");

            assertThat(written(Account.COORDINATOR, others, others)).isEmpty();
            assertThat(written(Account.GARBAGE_COLLECTOR, null, others)).isEmpty();
        }
    }

    @Nested
    class OnPods {

        private static final Map<String, String> LABELS = Map.of("app.kubernetes.io/name", "orders");
        private static final Map<String, String> ANNOTATIONS = Map.of("example.com/annotation", "x");
        private static final Map<String, String> MARKS =
                Map.of("coordination.cle.io/leader", "true", "leader.coordination.cle.io/orders", "true");
        private static final Map<String, String> COSTS =
                Map.of("controller.kubernetes.io/pod-deletion-cost", "1", "coordination.cle.io/pod-deletion-cost", "1");

        private Map<String, Object> pod(Map<String, String> labels, Map<String, String> annotations) {
            return Map.of(
                    "metadata",
                    new HashMap<>(Map.of(
                            "name",
                            "a",
                            "namespace",
                            Review.NAMESPACE,
                            "uid",
                            uid("a"),
                            "labels",
                            labels,
                            "annotations",
                            annotations)),
                    "spec",
                    new HashMap<>(Map.of("containers", List.of(Map.of("name", "app", "image", "orders")))));
        }

        private Map<String, Object> unmarked() {
            return pod(LABELS, ANNOTATIONS);
        }

        private Map<String, Object> marked() {
            return pod(with(LABELS, MARKS), with(ANNOTATIONS, COSTS));
        }

        private static Map<String, String> with(Map<String, String> some, Map<String, String> more) {
            Map<String, String> all = new HashMap<>(some);
            all.putAll(more);
            return all;
        }

        private Optional<String> changed(Account account, Map<String, Object> from, Map<String, Object> to) {
            return refuses(Review.of(account, "Pod", to, from));
        }

        @Test
        void aPodMarksItselfAndRemovesItsMarks() {
            assertThat(changed(POD_A, unmarked(), unmarked())).isEmpty();
            assertThat(changed(POD_A, unmarked(), marked())).isEmpty();
            assertThat(changed(POD_A, marked(), unmarked())).isEmpty();
        }

        @Test
        void anotherPodMarksItNot() {
            for (Account account : List.of(POD_B, Review.pod("orders-a"), Account.OF_NO_POD)) {
                assertThat(changed(account, unmarked(), marked()))
                        .as("%s", account)
                        .hasValueSatisfying(message -> assertThat(message).contains("its own pod only"));
            }
        }

        /** Labels decide which Services, ReplicaSets and NetworkPolicies a pod belongs to. */
        @Test
        void aPodAddsChangesAndRemovesNoOtherLabelOrAnnotation() {
            List<Map<String, String>> others =
                    List.of(Map.of(), Map.of("app.kubernetes.io/name", "billing"), with(LABELS, Map.of("role", "x")));
            for (Map<String, String> labels : others) {
                assertThat(changed(POD_A, unmarked(), pod(labels, ANNOTATIONS)))
                        .as("labels %s", labels)
                        .hasValueSatisfying(message -> assertThat(message).contains("but the marks"));
            }
            List<Map<String, String>> otherAnnotations = List.of(
                    Map.of(),
                    Map.of("example.com/annotation", "y"),
                    with(ANNOTATIONS, Map.of("example.com/other", "x")));
            for (Map<String, String> annotations : otherAnnotations) {
                assertThat(changed(POD_A, unmarked(), pod(LABELS, annotations)))
                        .as("annotations %s", annotations)
                        .hasValueSatisfying(message -> assertThat(message).contains("but the marks"));
            }
        }

        @Test
        @SuppressWarnings("unchecked")
        void aPodChangesNoSpecOwnerOrFinalizer() {
            Map<String, Object> deadline = marked();
            ((Map<String, Object>) deadline.get("spec")).put("activeDeadlineSeconds", 60);
            Map<String, Object> image = marked();
            ((Map<String, Object>) image.get("spec"))
                    .put("containers", List.of(Map.of("name", "app", "image", "other")));
            Map<String, Object> kept = marked();
            ((Map<String, Object>) kept.get("metadata")).put("finalizers", List.of("example.com/kept"));
            Map<String, Object> owned = marked();
            ((Map<String, Object>) owned.get("metadata"))
                    .put(
                            "ownerReferences",
                            List.of(Map.of("apiVersion", "v1", "kind", "Pod", "name", "b", "uid", uid("b"))));

            for (Map<String, Object> wrong : List.of(deadline, image, kept, owned)) {
                assertThat(changed(POD_A, unmarked(), wrong)).as("%s", wrong).isPresent();
            }
            assertThat(changed(POD_A, unmarked(), deadline))
                    .hasValueSatisfying(message -> assertThat(message).contains("no spec, owner or finalizer"));
        }

        @Test
        void anAdministratorChangesLabels() {
            assertThat(changed(Account.ADMINISTRATOR, unmarked(), pod(Map.of("role", "x"), ANNOTATIONS)))
                    .isEmpty();
        }
    }

    @Nested
    class OnLeases {

        private Map<String, Object> lease(String holder, long seconds, Map<String, String> annotations) {
            return Map.of(
                    "metadata",
                    Map.of("name", "orders", "namespace", Review.NAMESPACE, "annotations", annotations),
                    "spec",
                    Map.of("holderIdentity", holder, "leaseDurationSeconds", seconds));
        }

        private Map<String, Object> lease(String holder) {
            return lease(holder, 5, Map.of());
        }

        private Map<String, Object> marked(String holder, String preferred) {
            return lease(holder, 5, Map.of("coordination.k8s.io/preferred-holder", preferred));
        }

        /** Returns a Lease with the uid of its holder's pod. */
        private Map<String, Object> ofPod(String holder, String annotation) {
            return lease(holder, 5, Map.of("coordination.cle.io/holder-pod", annotation));
        }

        private Optional<String> written(Account account, Map<String, Object> from, Map<String, Object> to) {
            return refuses(Review.of(account, "Lease", to, from));
        }

        private Optional<String> changed(Map<String, Object> from, Map<String, Object> to) {
            return written(POD_A, from, to);
        }

        @Test
        void theHoldersPodRenewsAndReleases() {
            assertThat(changed(lease(OURS), lease(OURS))).isEmpty();
            assertThat(changed(lease(OURS), lease(""))).isEmpty();
        }

        @Test
        void theHolderOfADirectLockRenews() {
            assertThat(changed(lease("a-x2k9z"), lease("a-x2k9z"))).isEmpty();
        }

        /** First the preferred holder, then the holder: a ghost would hold the Lease for 68 years. */
        @Test
        void theTwoStepsByWhichAHolderGivesItsLeaseToAGhostAreRefused() {
            assertThat(changed(lease(OURS), marked(OURS, "ghost")))
                    .hasValueSatisfying(message -> assertThat(message).contains("set by the coordinator"));
            assertThat(changed(marked(OURS, "ghost"), lease("ghost", Integer.MAX_VALUE, Map.of())))
                    .hasValueSatisfying(message -> assertThat(message).contains("five seconds"));
            assertThat(changed(lease(OURS), lease("ghost"))).isPresent();
        }

        @Test
        void aLeaseIsHandedOverToThePreferredHolder() {
            assertThat(changed(marked(OURS, "preferred"), lease("preferred"))).isEmpty();
        }

        private Map<String, Object> shard(String holder, Map<String, String> labels) {
            return Map.of(
                    "metadata",
                    Map.of("name", "orders-16-3", "namespace", Review.NAMESPACE, "labels", labels),
                    "spec",
                    Map.of("holderIdentity", holder, "leaseDurationSeconds", 5));
        }

        @Test
        void aShardIsHeldInTheNameOfItsGroupsCandidate() {
            Map<String, String> ofGroup = Map.of("coordination.cle.io/group", "orders-16");

            assertThat(changed(shard(OURS, ofGroup), shard(OURS, ofGroup))).isEmpty();
            assertThat(changed(shard(OURS, ofGroup), shard("", ofGroup))).isEmpty();
            assertThat(changed(shard(OURS, Map.of()), shard(OURS, ofGroup))).isEmpty();
            assertThat(changed(shard(OTHERS, ofGroup), shard(OTHERS, ofGroup))).isPresent();
            assertThat(changed(shard(OURS, Map.of()), shard(OURS, Map.of()))).isPresent();
            assertThat(changed(shard(OURS, ofGroup), shard(OURS, Map.of()))).isPresent();
        }

        private Map<String, Object> ofJobs(String holder, Map<String, String> labels) {
            return Map.of(
                    "metadata",
                    Map.of("name", "billing", "namespace", Review.NAMESPACE, "labels", labels),
                    "spec",
                    Map.of("holderIdentity", holder, "leaseDurationSeconds", 5));
        }

        @Test
        void aLeaseOfAGroupIsHeldInTheNameOfTheGroupsCandidate() {
            Map<String, String> jobs = Map.of("coordination.cle.io/group", "jobs");

            assertThat(changed(ofJobs("jobs-a-x2k9z", jobs), ofJobs("jobs-a-x2k9z", jobs)))
                    .isEmpty();
            assertThat(changed(ofJobs("jobs-a-x2k9z", Map.of()), ofJobs("jobs-a-x2k9z", jobs)))
                    .isEmpty();
            assertThat(changed(ofJobs("jobs-b-x2k9z", jobs), ofJobs("jobs-b-x2k9z", jobs)))
                    .isPresent();
            assertThat(changed(ofJobs("jobs-a-x2k9z", jobs), ofJobs("jobs-a-x2k9z", Map.of())))
                    .isPresent();
            assertThat(changed(
                            ofJobs("jobs-a-x2k9z", jobs),
                            ofJobs("jobs-a-x2k9z", Map.of("coordination.cle.io/group", "others"))))
                    .isPresent();
        }

        @Test
        void aPodLabelsNoLeaseAsAShardOfAnotherGroup() {
            for (String group : List.of("orders-8", "orders-16-3", "invoices-16", "orders-1")) {
                assertThat(changed(shard(OURS, Map.of()), shard(OURS, Map.of("coordination.cle.io/group", group))))
                        .as(group)
                        .isPresent();
            }
        }

        @Test
        void aLeaseThatAnotherPodHoldsIsNotWritten() {
            for (String holder : List.of(OURS, OTHERS, "")) {
                assertThat(changed(lease(OTHERS), lease(holder))).as(holder).isPresent();
            }
        }

        @Test
        void aHolderWhoseNameOnlyBeginsOrEndsLikeThePodIsRefused() {
            for (String holder : List.of("orders-a-b-x2k9z", "orders-aa-x2k9z", "orders-b-a-x2k9z", "orders-a", "a")) {
                assertThat(changed(lease(holder), lease(holder))).as(holder).isPresent();
            }
        }

        @Test
        void thePodRenewsAndReleasesWhoseUidIsOnTheLease() {
            Map<String, Object> own = ofPod(OURS, uid("a") + "/" + OURS);

            assertThat(changed(own, own)).isEmpty();
            assertThat(changed(own, lease(""))).isEmpty();
            assertThat(changed(lease(OURS), own)).isEmpty();
            assertThat(changed(lease(""), own)).isEmpty();
        }

        @Test
        void thePodNamesItsContainer() {
            Map<String, Object> own = ofPod(OURS, uid("a") + "/app/" + OURS);

            assertThat(changed(lease(""), own)).isEmpty();
            assertThat(changed(own, own)).isEmpty();
            assertThat(written(Review.pod("orders-a"), own, own)).isPresent();
        }

        /** By name alone, the pod orders-a of a direct lock would be taken for the pod a of a candidate for the lease orders. */
        @Test
        void aPodWhoseNameIsTakenForTheHoldersIsRefused() {
            Map<String, Object> ofA = ofPod(OURS, uid("a") + "/" + OURS);
            Account taken = Review.pod("orders-a");

            assertThat(written(taken, lease(OURS), lease(OURS))).isEmpty();
            assertThat(written(taken, ofA, ofA)).isPresent();
            assertThat(written(taken, ofA, lease(""))).isPresent();
        }

        @Test
        void aPodThatWasCreatedUnderTheNameOfTheHoldersIsRefused() {
            Map<String, Object> ofFormer = ofPod(OURS, "uid-of-the-former-a/" + OURS);

            assertThat(changed(ofFormer, ofFormer)).isPresent();
            assertThat(changed(ofFormer, lease(""))).isPresent();
        }

        @Test
        void aPodNamesNoOtherPodsUid() {
            assertThat(changed(lease(OURS), ofPod(OURS, uid("b") + "/" + OURS))).isPresent();
            assertThat(changed(marked(OURS, OTHERS), ofPod(OTHERS, uid("a") + "/" + OTHERS)))
                    .isPresent();
        }

        /** kube-apiserver grants a Lease and keeps the annotation: the uid would then be that of another pod than the new holder's. */
        @Test
        void aPodNamesNoPodOfALaterHolder() {
            Map<String, String> ofLater = Map.of("coordination.cle.io/holder-pod", uid("a") + "/" + OTHERS);

            assertThat(changed(lease(OURS), lease(OURS, 5, ofLater))).isPresent();
            assertThat(changed(lease(OURS), lease("", 1, ofLater))).isPresent();
        }

        @Test
        void aUidThatWasWrittenForAnEarlierHolderIsIgnored() {
            Map<String, Object> granted = ofPod(OURS, uid("b") + "/" + OTHERS);

            assertThat(changed(granted, ofPod(OURS, uid("a") + "/" + OURS))).isEmpty();
        }

        @Test
        void aPodAcquiresAFreeLeaseInItsOwnNameOnly() {
            assertThat(changed(lease(""), lease(OURS))).isEmpty();
            assertThat(changed(lease(""), lease(OTHERS))).isPresent();
            assertThat(changed(null, lease(OURS))).isEmpty();
            assertThat(changed(null, lease(OTHERS))).isPresent();
        }

        /** When the pod is gone, others wait for the lease duration in its record. */
        @Test
        void aPodHoldsALeaseForAnHourAtMost() {
            for (Map<String, Object> from : List.of(lease(""), lease(OURS))) {
                assertThat(changed(from, lease(OURS, 3600, Map.of()))).isEmpty();
                assertThat(changed(from, lease(OURS, 3601, Map.of())))
                        .hasValueSatisfying(message -> assertThat(message).contains("an hour at most"));
            }
        }

        @Test
        void aTokenThatIsBoundToNoPodIsRefused() {
            assertThat(written(Account.OF_NO_POD, lease(OURS), lease(OURS)))
                    .hasValueSatisfying(message -> assertThat(message).contains("token of a pod"));
        }

        @Test
        void aPodAddsTheLabelsThatSayWhoseALeaseIsAndChangesThemNeverAgain() {
            Map<String, String> labels = Map.of(
                    "app.kubernetes.io/managed-by", "coordinated-leader-election", "app.kubernetes.io/name", "orders");
            Map<String, Object> labelled = withMetadata(labels, Map.of());

            assertThat(changed(null, labelled)).isEmpty();
            assertThat(changed(lease(OURS), labelled)).isEmpty();
            labels.keySet().forEach(label -> {
                Map<String, String> others = new HashMap<>(labels);
                others.put(label, "billing");
                assertThat(changed(labelled, withMetadata(others, Map.of())))
                        .as("changed: " + label)
                        .isPresent();
                assertThat(changed(labelled, withMetadata(without(label, labels), Map.of())))
                        .as("removed: " + label)
                        .isPresent();
            });
        }

        @Test
        void aPodRemovesNoLabelAndNoAnnotationOfOthers() {
            Map<String, String> labels = Map.of("coordination.cle.io/managed", "true", "example.com/label", "x");
            Map<String, String> annotations =
                    Map.of("coordination.k8s.io/strategy", "NoCoordination", "example.com/annotation", "x");
            Map<String, Object> from = withMetadata(labels, annotations);

            assertThat(changed(from, from)).isEmpty();
            labels.keySet()
                    .forEach(label -> assertThat(changed(from, withMetadata(without(label, labels), annotations)))
                            .as(label)
                            .isPresent());
            annotations
                    .keySet()
                    .forEach(name -> assertThat(changed(from, withMetadata(labels, without(name, annotations))))
                            .as(name)
                            .isPresent());
        }

        private static Map<String, String> without(String name, Map<String, String> all) {
            Map<String, String> others = new HashMap<>(all);
            others.remove(name);
            return others;
        }

        private Map<String, Object> withMetadata(Map<String, String> labels, Map<String, String> annotations) {
            return Map.of(
                    "metadata",
                    Map.of(
                            "name",
                            "orders",
                            "namespace",
                            Review.NAMESPACE,
                            "labels",
                            labels,
                            "annotations",
                            annotations),
                    "spec",
                    Map.of("holderIdentity", OURS, "leaseDurationSeconds", 5L));
        }

        @Test
        void theCoordinatorGrants() {
            assertThat(written(Account.COORDINATOR, lease(OTHERS), lease(OURS))).isEmpty();
        }

        @Test
        void anAdministratorWritesTheLineThatEndsAllClaims() {
            Map<String, Object> ended =
                    lease("", 1, Map.of("coordination.cle.io/term", "{\"ended\":\"*\",\"after\":\"7\"}"));

            assertThat(written(Account.ADMINISTRATOR, lease(OTHERS), ended)).isEmpty();
            // The remaining annotation doesn't prevent a pod from acquiring the Lease.
            assertThat(changed(ended, lease(OURS))).isEmpty();
        }

        /** The writes of pods and of the coordinator to Leases, from the table in cle-coordinator-app/deploy/README.md, in both formats. */
        @Nested
        class EveryTransition {

            @TestFactory
            Stream<DynamicTest> ofAPodIsAllowedToThatPodAndOnlyAsItIs() {
                return transitions()
                        .filter(transition -> transition.by().equals("pod"))
                        .map(transition -> DynamicTest.dynamicTest(transition.toString(), () -> {
                            assertThat(refuses(transition.review(POD_A, uid("a"))))
                                    .isEmpty();
                            assertThat(refuses(transition.review(POD_B, uid("a"))))
                                    .isPresent();
                            assertThat(Transition.WRONGS.keySet())
                                    .as("wrongs that are allowed")
                                    .filteredOn(wrong -> refuses(transition
                                                    .with(Transition.WRONGS.get(wrong))
                                                    .review(POD_A, uid("a")))
                                            .isEmpty())
                                    .isEmpty();
                        }));
            }

            @TestFactory
            Stream<DynamicTest> ofTheCoordinatorIsItsOwn() {
                return transitions()
                        .filter(transition -> transition.by().equals("coordinator"))
                        .map(transition -> DynamicTest.dynamicTest(transition.toString(), () -> {
                            assertThat(refuses(transition.review(Account.COORDINATOR, uid("a"))))
                                    .isEmpty();
                            assertThat(refuses(transition.review(POD_A, uid("a"))))
                                    .isPresent();
                            assertThat(refuses(transition.review(POD_B, uid("a"))))
                                    .isPresent();
                        }));
            }

            @Test
            void everyTransitionIsInTheTable() {
                assertThat(transitions()).hasSize(20);
            }

            private Stream<Transition> transitions() {
                return Pages.table("cle-coordinator-app/deploy/README.md", "transition").stream()
                        .flatMap(row -> Stream.of(new Transition(row, false), new Transition(row, true)));
            }
        }

        @Test
        void aDryRunIsAllowed() {
            assertThat(refuses(Review.of(POD_A, "Lease", lease(""), null).asDryRun()))
                    .isEmpty();
        }
    }
}
