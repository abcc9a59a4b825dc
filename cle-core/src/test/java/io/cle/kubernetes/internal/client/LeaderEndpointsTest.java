package io.cle.kubernetes.internal.client;

import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CompletionStage;

import com.google.gson.JsonObject;
import io.cle.kubernetes.internal.transport.ApiRequest;
import io.cle.kubernetes.internal.transport.ApiRequest.Verb;
import io.cle.kubernetes.internal.transport.FakeTransport;
import io.cle.lock.internal.VirtualLoop;
import io.cle.model.ObjectKey;
import io.cle.model.PodRef;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** A Service that leads to the leader alone. */
class LeaderEndpointsTest {

    private static final String EMPTY = "{'metadata': {'resourceVersion': '5'}, 'endpoints': []}";
    private static final String CHANGED = "{'metadata': {'resourceVersion': '6'}}";

    private final FakeTransport transport = new FakeTransport();
    private final VirtualLoop loop = new VirtualLoop();
    private final LeaderEndpoints endpoints = new LeaderEndpoints(
            new ObjectClient(transport, loop, new Random(1), Duration.ofSeconds(5)),
            new ObjectKey("shop", "orders-leader"),
            "10.1.2.3",
            new PodRef(new ObjectKey("shop", "orders-7f9c"), "uid-1"));

    private static String sliceOf(long token, String address) {
        return "{'metadata': {'resourceVersion': '7', 'annotations': {'coordination.cle.io/fencing-token': '" + token
                + "'}}, 'endpoints': [{'addresses': ['" + address + "']}]}";
    }

    private void lead(long token) {
        endpoints.lead(token);
        loop.runReady();
    }

    private CompletionStage<Void> leave(long token) {
        CompletionStage<Void> left = endpoints.leave(token);
        loop.runReady();
        return left;
    }

    private JsonObject written() {
        ApiRequest request = transport.lastRequest();
        assertThat(request.verb()).isEqualTo(Verb.PATCH);
        assertThat(request.path()).isEqualTo("/apis/discovery.k8s.io/v1/namespaces/shop/endpointslices/orders-leader");
        assertThat(request.body()).isNotNull();
        return request.body();
    }

    @Test
    void aLeaderPutsItsPodThereByCompareAndSwap() {
        transport.answer(200, EMPTY).answer(200, CHANGED);

        lead(12);

        assertThat(written()).isEqualTo(FakeTransport.json("""
                {'metadata': {'resourceVersion': '5', 'annotations': {'coordination.cle.io/fencing-token': '12'}},
                 'endpoints': [{'addresses': ['10.1.2.3'], 'conditions': {'ready': true},
                   'targetRef': {'kind': 'Pod', 'namespace': 'shop', 'name': 'orders-7f9c', 'uid': 'uid-1'}}]}
                """));
    }

    @Test
    void aLeaderOfAnEarlierTermLeavesItsSuccessorThere() {
        transport.answer(200, sliceOf(13, "10.9.9.9"));

        lead(12);

        assertThat(transport.requests).extracting(ApiRequest::verb).containsExactly(Verb.GET);
    }

    @Test
    void tokensOfNineteenDigitsAreComparedAsNumbers() {
        transport.answer(200, sliceOf(1763596440927791001L, "10.9.9.9"));
        lead(999_999_999_999_999_999L);
        assertThat(transport.requests).extracting(ApiRequest::verb).containsExactly(Verb.GET);
        transport.answer(200, sliceOf(1763596440927791001L, "10.9.9.9")).answer(200, CHANGED);

        lead(1763596440927791002L);

        assertThat(written().getAsJsonArray("endpoints")).hasSize(1);
    }

    @Test
    void theEndOfATermTakesItsPodAway() {
        transport.answer(200, EMPTY).answer(200, CHANGED);
        lead(12);
        transport.answer(200, sliceOf(12, "10.1.2.3")).answer(200, CHANGED);

        CompletionStage<Void> left = leave(12);

        assertThat(written().getAsJsonArray("endpoints")).isEmpty();
        assertThat(left.toCompletableFuture()).isCompleted();
    }

    @Test
    void theEndOfATermTakesNoSuccessorAway() {
        transport.answer(200, sliceOf(13, "10.9.9.9"));

        CompletionStage<Void> left = leave(12);

        assertThat(transport.requests).extracting(ApiRequest::verb).containsExactly(Verb.GET);
        assertThat(left.toCompletableFuture()).isCompleted();
    }

    @Test
    void anApiServerThatIsAwayDoesNotKeepATermFromEnding() {
        transport.noAnswer("connection refused");

        assertThat(leave(12).toCompletableFuture()).isCompleted();
    }

    @Test
    void aWriteThatFailsIsTriedAgainWhileTheTermLasts() {
        transport.answer(404, "{'kind': 'Status', 'message': 'no such slice'}");
        lead(12);
        transport.answer(200, EMPTY).answer(200, CHANGED);

        loop.advance(LeaderEndpoints.AGAIN);

        assertThat(written().getAsJsonArray("endpoints")).hasSize(1);
    }

    @Test
    void aWriteThatCannotBeSentIsTriedAgainWhileTheTermLasts() {
        transport.answer(200, EMPTY).noAnswer("unable to create native thread");
        lead(12);
        transport.answer(200, EMPTY).answer(200, CHANGED);

        loop.advance(LeaderEndpoints.AGAIN);

        assertThat(transport.requests).hasSize(4);
        assertThat(written().getAsJsonArray("endpoints")).hasSize(1);
    }

    @Test
    void aWriteThatCannotBeSentDoesNotKeepATermFromEnding() {
        transport.answer(200, EMPTY).noAnswer("unable to create native thread");
        lead(12);
        transport.answer(200, sliceOf(12, "10.1.2.3")).answer(200, CHANGED);

        CompletionStage<Void> left = leave(12);

        assertThat(written().getAsJsonArray("endpoints")).isEmpty();
        assertThat(left.toCompletableFuture()).isCompleted();
    }

    @Test
    void aReadThatCannotBeSentDoesNotKeepATermFromEnding() {
        transport.noAnswer("unable to create native thread");

        assertThat(leave(12).toCompletableFuture()).isCompleted();
    }

    @Test
    void aSliceThatSomethingElseHasEmptiedIsFilledAgain() {
        transport.answer(200, EMPTY).answer(200, CHANGED);
        lead(12);
        transport.answer(200, EMPTY).answer(200, CHANGED);

        loop.advance(LeaderEndpoints.REFRESH);

        assertThat(transport.requests).hasSize(4);
        assertThat(written().getAsJsonArray("endpoints")).hasSize(1);
    }

    @Test
    void nothingIsWrittenAfterTheEndOfTheTerm() {
        transport.answer(200, EMPTY).answer(200, CHANGED);
        lead(12);
        transport.answer(200, sliceOf(13, "10.9.9.9"));
        leave(12);
        int before = transport.requests.size();

        loop.advance(Duration.ofHours(1));

        assertThat(transport.requests).hasSize(before);
    }
}
