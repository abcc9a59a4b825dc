package io.cle.kubernetes.internal.client;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletionStage;

import com.google.gson.JsonObject;
import io.cle.kubernetes.internal.transport.ApiRequest;
import io.cle.kubernetes.internal.transport.ApiRequest.Verb;
import io.cle.kubernetes.internal.transport.FakeTransport;
import io.cle.lock.internal.VirtualLoop;
import io.cle.loop.internal.LoggedLines;
import io.cle.model.ObjectKey;
import io.cle.model.PodRef;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

/** The labels and annotations of a leader's pod, and when they are written. */
class LeaderPodTest {

    private static final String LEADER = "'coordination.cle.io/leader': 'true'";
    private static final ObjectKey ORDERS = new ObjectKey("shop", "orders");
    private static final ObjectKey BILLING = new ObjectKey("shop", "billing");

    @RegisterExtension
    final LoggedLines log = new LoggedLines(LeaderPod.class);

    private final FakeTransport transport = new FakeTransport();
    private final VirtualLoop loop = new VirtualLoop();
    private final LeaderPod pod = new LeaderPod(
            new ObjectClient(transport, loop, new Random(1), Duration.ofSeconds(5)),
            new PodRef(new ObjectKey("shop", "orders-7f9c"), "uid-1"));

    private static String podWith(String labels, String annotations) {
        return "{'metadata': {'uid': 'uid-1', 'resourceVersion': '5', 'labels': {" + labels + "}, 'annotations': {"
                + annotations + "}}}";
    }

    private static String unmarked() {
        return podWith("'app': 'orders'", "");
    }

    private static String markedFor(String lease) {
        return podWith(
                "'app': 'orders', " + LEADER + ", 'leader.coordination.cle.io/" + lease + "': 'true'",
                "'controller.kubernetes.io/pod-deletion-cost': '1', 'coordination.cle.io/pod-deletion-cost': '1'");
    }

    private void lead(ObjectKey lease) {
        pod.lead(lease);
        loop.runReady();
    }

    private CompletionStage<Void> leave(ObjectKey lease) {
        CompletionStage<Void> left = pod.leave(lease);
        loop.runReady();
        return left;
    }

    /** Returns the metadata that the last request writes. */
    private JsonObject written() {
        ApiRequest request = transport.lastRequest();
        assertThat(request.verb()).isEqualTo(Verb.PATCH);
        assertThat(request.path()).isEqualTo("/api/v1/namespaces/shop/pods/orders-7f9c");
        assertThat(request.body()).isNotNull();
        return request.body().getAsJsonObject("metadata");
    }

    private int requests() {
        return transport.requests.size();
    }

    private void leadMarked(ObjectKey lease) {
        transport.answer(200, unmarked()).answer(200, markedFor(lease.name()));
        lead(lease);
        assertThat(requests()).isEqualTo(2);
    }

    @Test
    void podOfNewLeader_isMarkedByUidAndVersion() {
        leadMarked(ORDERS);

        assertThat(written()).isEqualTo(FakeTransport.json("""
                {'uid': 'uid-1', 'resourceVersion': '5',
                 'labels': {'coordination.cle.io/leader': 'true', 'leader.coordination.cle.io/orders': 'true'},
                 'annotations': {'controller.kubernetes.io/pod-deletion-cost': '1', 'coordination.cle.io/pod-deletion-cost': '1'}}
                """));
    }

    @Test
    void podIsDeletedLast_whileItHasTheCost() {
        assertThat(pod.deletedLast()).isFalse();
        leadMarked(ORDERS);
        assertThat(pod.deletedLast()).isTrue();

        transport.answer(200, unmarked());
        leave(ORDERS);
        assertThat(pod.deletedLast()).isFalse();
    }

    @Test
    void podIsNotDeletedLast_ifTheLastPatchFailed() {
        transport.answer(200, unmarked()).noAnswer("connection refused");
        lead(ORDERS);
        assertThat(pod.deletedLast()).isFalse();

        transport.answer(200, unmarked()).answer(200, markedFor("orders"));
        loop.advance(LeaderPod.INTERVAL);
        assertThat(pod.deletedLast()).isTrue();

        transport.noAnswer("connection refused");
        lead(BILLING);
        loop.advance(LeaderPod.INTERVAL);
        assertThat(pod.deletedLast()).isFalse();
    }

    @Test
    void podWithAnotherCost_isNotCalledDeletedLast() {
        String marked = podWith(
                LEADER + ", 'leader.coordination.cle.io/orders': 'true'",
                "'controller.kubernetes.io/pod-deletion-cost': '50'");
        transport
                .answer(200, podWith("", "'controller.kubernetes.io/pod-deletion-cost': '50'"))
                .answer(200, marked);

        lead(ORDERS);

        assertThat(requests()).isEqualTo(2);
        assertThat(pod.deletedLast()).isFalse();
    }

    @Test
    void podIsRead_byPatchWithoutChanges() {
        transport.answer(200, unmarked());
        pod.start();
        loop.runReady();

        assertThat(written()).isEqualTo(FakeTransport.json("{'uid': 'uid-1'}"));
        assertThat(requests()).isEqualTo(1);
    }

    @Test
    void endOfTerm_removesMarksBeforeTheStageCompletes() {
        leadMarked(ORDERS);
        transport.answer(200, unmarked());

        CompletionStage<Void> left = pod.leave(ORDERS);
        int[] requestsAtCompletion = new int[1];
        left.thenRun(() -> requestsAtCompletion[0] = requests());
        loop.runReady();
        assertThat(requestsAtCompletion[0]).isEqualTo(3);

        assertThat(written()).isEqualTo(FakeTransport.json("""
                {'uid': 'uid-1', 'resourceVersion': '5',
                 'labels': {'coordination.cle.io/leader': null, 'leader.coordination.cle.io/orders': null},
                 'annotations': {'controller.kubernetes.io/pod-deletion-cost': null, 'coordination.cle.io/pod-deletion-cost': null}}
                """));
        assertThat(left.toCompletableFuture()).isCompleted();
    }

    @Test
    void marksOfFormerProcess_areRemovedAtStart() {
        transport.answer(200, markedFor("orders")).answer(200, unmarked());

        pod.start();
        loop.runReady();

        assertThat(requests()).isEqualTo(2);
        assertThat(written().getAsJsonObject("labels").keySet())
                .containsExactlyInAnyOrder("coordination.cle.io/leader", "leader.coordination.cle.io/orders");
    }

    @Test
    void furtherLease_isMarkedTenSecondsLater() {
        leadMarked(ORDERS);

        lead(BILLING);
        loop.advance(LeaderPod.INTERVAL.minusMillis(1));
        assertThat(requests()).isEqualTo(2);
        transport.answer(
                200,
                podWith(
                        LEADER
                                + ", 'leader.coordination.cle.io/orders': 'true', 'leader.coordination.cle.io/billing': 'true'",
                        "'controller.kubernetes.io/pod-deletion-cost': '2', 'coordination.cle.io/pod-deletion-cost': '2'"));
        loop.advance(Duration.ofMillis(1));

        assertThat(written()
                        .getAsJsonObject("annotations")
                        .get("controller.kubernetes.io/pod-deletion-cost")
                        .getAsString())
                .isEqualTo("2");
        loop.advance(Duration.ofMinutes(5));
        assertThat(requests()).isEqualTo(3);
    }

    @Test
    void label_isRemovedAtOnce_alsoWithinTheTenSeconds() {
        leadMarked(ORDERS);
        transport.answer(200, unmarked());

        leave(ORDERS);

        assertThat(requests()).isEqualTo(3);
    }

    @Test
    void leaseThatIsLostBeforeItIsMarked_causesNoWrite() {
        leadMarked(ORDERS);

        lead(BILLING);
        assertThat(leave(BILLING).toCompletableFuture()).isCompleted();
        loop.advance(Duration.ofMinutes(5));

        assertThat(requests()).isEqualTo(2);
    }

    @Test
    void podThatWasWrittenMeanwhile_isReadAgainAndMarked() {
        transport
                .answer(200, unmarked())
                .answer(409, "{'kind': 'Status', 'message': 'the object has been modified'}")
                .answer(200, podWith("", "'controller.kubernetes.io/pod-deletion-cost': '50'"))
                .answer(
                        200,
                        podWith(
                                LEADER + ", 'leader.coordination.cle.io/orders': 'true'",
                                "'controller.kubernetes.io/pod-deletion-cost': '50'"));

        lead(ORDERS);

        assertThat(requests()).isEqualTo(4);
        assertThat(written().getAsJsonObject("annotations").entrySet()).isEmpty();
    }

    @Test
    void failedRemoval_isRepeatedAfterASecondAndDelaysNoHandOver() {
        leadMarked(ORDERS);
        transport.noAnswer("connection refused");

        assertThat(leave(ORDERS).toCompletableFuture()).isCompleted();
        transport.answer(200, markedFor("orders")).answer(200, unmarked());
        loop.advance(LeaderPod.AGAIN);

        assertThat(requests()).isEqualTo(5);
        loop.advance(Duration.ofMinutes(5));
        assertThat(requests()).isEqualTo(5);
    }

    @Test
    void labelThatAWebhookPutsBack_isRemovedOncePerMinute() {
        leadMarked(ORDERS);
        transport.answer(200, markedFor("orders"));

        assertThat(leave(ORDERS).toCompletableFuture()).isCompleted();
        assertThat(requests()).isEqualTo(3);
        transport.answer(200, unmarked());
        loop.advance(LeaderPod.AGAIN_IF_REFUSED);

        assertThat(requests()).isEqualTo(4);
    }

    @Test
    void marksOfPodOfTheSameName_areNotWritten() {
        transport.answer(422, "{'kind': 'Status', 'message': 'metadata.uid: Invalid value: field is immutable'}");

        lead(ORDERS);

        assertThat(requests()).isEqualTo(1);
    }

    @Test
    void missingRight_isReportedOnceWithWhatGrantsIt() {
        for (int i = 0; i < 3; i++) {
            transport.answer(
                    403,
                    "{'kind': 'Status', 'message': 'User \\\"x\\\" cannot patch resource \\\"pods\\\" in the namespace'}");
        }

        lead(ORDERS);
        loop.advance(LeaderPod.AGAIN_IF_REFUSED.multipliedBy(2));

        assertThat(requests()).isEqualTo(3);
        assertThat(log.lines())
                .singleElement(STRING)
                .startsWith("WARN Pod shop/orders-7f9c: can't be marked")
                .contains("cannot patch resource", "cle-coordinator-app/deploy/leader-pod");
    }

    @Nested
    class Cost {

        private static final PodMarks UNMARKED = new PodMarks(Map.of(), Map.of());

        @Test
        void leaderOfMore_costsMore() {
            assertThat(UNMARKED.whileHolding(List.of(ORDERS, BILLING)).annotations())
                    .containsEntry(PodMarks.COST, "2");
            assertThat(UNMARKED.whileHolding(List.of(ORDERS)).annotations()).containsEntry(PodMarks.COST, "1");
        }

        @Test
        void standbyCostsNothing() {
            assertThat(UNMARKED.whileHolding(List.of(ORDERS)).whileHolding(List.of()))
                    .isEqualTo(UNMARKED);
        }

        @Test
        void costOfSomebodyElse_stays_whileLeadingAndAfterwards() {
            PodMarks present = new PodMarks(Map.of(), Map.of(PodMarks.COST, "-5"));

            PodMarks leading = present.whileHolding(List.of(ORDERS));
            assertThat(leading.annotations()).containsExactly(Map.entry(PodMarks.COST, "-5"));
            assertThat(leading.labels()).containsKey(PodMarks.LEADER);
            assertThat(leading.whileHolding(List.of())).isEqualTo(present);
        }

        @Test
        void costThatSomebodyHasChanged_isTheirs() {
            PodMarks changed = new PodMarks(Map.of(), Map.of(PodMarks.COST, "50", PodMarks.WRITTEN_COST, "1"));

            assertThat(changed.whileHolding(List.of(ORDERS, BILLING)).annotations())
                    .containsExactly(Map.entry(PodMarks.COST, "50"));
        }

        @Test
        void leaseWhoseNameIsNoLabel_hasTheCommonLabelOnly() {
            ObjectKey longest = new ObjectKey("shop", "a".repeat(63));
            ObjectKey longer = new ObjectKey("shop", "a".repeat(64));

            assertThat(UNMARKED.whileHolding(List.of(longest)).labels())
                    .containsOnlyKeys(PodMarks.LEADER, PodMarks.LEADER_OF + longest.name());
            assertThat(UNMARKED.whileHolding(List.of(longer)).labels()).containsOnlyKeys(PodMarks.LEADER);
        }
    }
}
