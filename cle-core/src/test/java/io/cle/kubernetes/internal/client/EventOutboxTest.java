package io.cle.kubernetes.internal.client;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

import io.cle.lock.internal.VirtualLoop;
import io.cle.model.internal.ApiResult;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class EventOutboxTest {

    private final VirtualLoop loop = new VirtualLoop();
    private final EventOutbox outbox = new EventOutbox(loop);
    private final List<CompletableFuture<ApiResult<String>>> sent = new ArrayList<>();
    private final List<String> order = new ArrayList<>();
    private int namespaces;

    private CompletionStage<ApiResult<String>> send() {
        CompletableFuture<ApiResult<String>> answer = new CompletableFuture<>();
        sent.add(answer);
        return answer;
    }

    /** Each of a namespace of its own, where that doesn't matter. */
    private CompletionStage<ApiResult<String>> post(Supplier<CompletionStage<ApiResult<String>>> request) {
        return outbox.post("namespace-" + namespaces++, request);
    }

    private Supplier<CompletionStage<ApiResult<String>>> of(String namespace) {
        return () -> {
            order.add(namespace);
            return CompletableFuture.completedStage(new ApiResult.Ok<>(namespace));
        };
    }

    @Test
    void theNamespacesTakeTurns() {
        for (int i = 0; i < 3; i++) {
            outbox.post("noisy", of("noisy"));
        }
        outbox.post("shop", of("shop"));

        loop.advance(EventOutbox.DELAY.plus(EventOutbox.PACE));
        assertThat(order).containsExactly("noisy", "shop");
    }

    @Test
    void aNamespaceHasAPaceOfItsOwn() {
        for (int i = 0; i < 100; i++) {
            outbox.post("noisy", of("noisy"));
        }
        loop.advance(EventOutbox.DELAY.plus(EventOutbox.PACE_OF_NAMESPACE.multipliedBy(9)));
        assertThat(order).hasSize(10);
        loop.advance(EventOutbox.PACE_OF_NAMESPACE.multipliedBy(90));
        assertThat(order).hasSize(100);
    }

    @Test
    void aNamespaceWithTooManyTakesNoRoomOfAnother() {
        for (int i = 0; i <= EventOutbox.ROOM; i++) {
            outbox.post("noisy", this::send);
        }
        CompletableFuture<ApiResult<String>> other =
                outbox.post("shop", of("shop")).toCompletableFuture();
        loop.advance(EventOutbox.DELAY);
        sent.get(0).complete(new ApiResult.Ok<>("first"));
        loop.advance(EventOutbox.PACE);

        assertThat(other).isCompletedWithValue(new ApiResult.Ok<>("shop"));
    }

    @Test
    void anEventIsSentLongAfterWhatItReports() {
        post(this::send);

        loop.advance(EventOutbox.DELAY.minusMillis(1));
        assertThat(sent).isEmpty();
        loop.advance(EventOutbox.PACE);
        assertThat(sent).hasSize(1);
    }

    @Test
    void theNextOneIsSentAWhileAfterTheAnswer() {
        post(this::send);
        post(this::send);
        loop.advance(EventOutbox.DELAY.multipliedBy(10));
        assertThat(sent).as("the first has no answer yet").hasSize(1);

        sent.get(0).complete(new ApiResult.Ok<>("first"));

        loop.advance(EventOutbox.PACE.minusMillis(1));
        assertThat(sent).hasSize(1);
        loop.advance(EventOutbox.PACE);
        assertThat(sent).hasSize(2);
    }

    @Test
    void theResultOfAPostReachesItsSender() {
        CompletableFuture<ApiResult<String>> result = post(this::send).toCompletableFuture();
        loop.advance(EventOutbox.DELAY);

        sent.get(0).complete(new ApiResult.Ok<>("orders.1"));

        assertThat(result).isCompletedWithValue(new ApiResult.Ok<>("orders.1"));
    }

    @Test
    void oneThatFailsHoldsTheOthersUpNoLongerThanAnother() {
        post(this::send);
        post(this::send);
        loop.advance(EventOutbox.DELAY);

        sent.get(0).complete(new ApiResult.OutcomeUnknown<>("time-out"));

        loop.advance(EventOutbox.PACE);
        assertThat(sent).hasSize(2);
    }

    @Test
    void oneWhoseRequestBreaksHoldsTheOthersUpNoLongerEither() {
        IllegalStateException broken = new IllegalStateException("broken");
        CompletableFuture<ApiResult<String>> thrown = post(() -> {
                    throw broken;
                })
                .toCompletableFuture();
        CompletableFuture<ApiResult<String>> failed =
                post(() -> CompletableFuture.failedStage(broken)).toCompletableFuture();
        post(this::send);

        loop.advance(EventOutbox.DELAY.plus(EventOutbox.PACE.multipliedBy(2)));

        assertThat(sent).hasSize(1);
        assertThat(thrown).isCompletedExceptionally();
        assertThat(failed).isCompletedExceptionally();
    }

    @Test
    void whereTooManyWaitTheLastOnesAreDropped() {
        for (int i = 0; i < EventOutbox.ROOM; i++) {
            outbox.post("noisy", this::send);
        }

        CompletableFuture<ApiResult<String>> result =
                outbox.post("noisy", this::send).toCompletableFuture();
        loop.runReady();

        assertThat(result.join()).isInstanceOf(ApiResult.Refused.class);
    }

    @Test
    void itComesToRestAndBeginsAgain() {
        post(this::send);
        loop.advance(EventOutbox.DELAY);
        sent.get(0).complete(new ApiResult.Ok<>("first"));
        loop.advance(EventOutbox.DELAY);

        post(this::send);
        loop.runReady();
        assertThat(sent).hasSize(1);
        loop.advance(EventOutbox.DELAY);

        assertThat(sent).hasSize(2);
    }
}
