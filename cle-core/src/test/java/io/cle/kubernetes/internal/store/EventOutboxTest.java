package io.cle.kubernetes.internal.store;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.cle.model.ApiResult;
import io.cle.runtime.internal.lock.VirtualLoop;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class EventOutboxTest {

    private final VirtualLoop loop = new VirtualLoop();
    private final EventOutbox outbox = new EventOutbox(loop);
    private final List<CompletableFuture<ApiResult<String>>> sent = new ArrayList<>();

    private CompletionStage<ApiResult<String>> send() {
        CompletableFuture<ApiResult<String>> answer = new CompletableFuture<>();
        sent.add(answer);
        return answer;
    }

    @Test
    void anEventIsSentLongAfterWhatItReports() {
        outbox.post(this::send);

        loop.advance(EventOutbox.DELAY.minusMillis(1));
        assertThat(sent).isEmpty();
        loop.advance(EventOutbox.PACE);
        assertThat(sent).hasSize(1);
    }

    @Test
    void theNextOneIsSentAWhileAfterTheAnswer() {
        outbox.post(this::send);
        outbox.post(this::send);
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
        CompletableFuture<ApiResult<String>> result = outbox.post(this::send).toCompletableFuture();
        loop.advance(EventOutbox.DELAY);

        sent.get(0).complete(new ApiResult.Ok<>("orders.1"));

        assertThat(result).isCompletedWithValue(new ApiResult.Ok<>("orders.1"));
    }

    @Test
    void oneThatFailsHoldsTheOthersUpNoLongerThanAnother() {
        outbox.post(this::send);
        outbox.post(this::send);
        loop.advance(EventOutbox.DELAY);

        sent.get(0).complete(new ApiResult.OutcomeUnknown<>("time-out"));

        loop.advance(EventOutbox.PACE);
        assertThat(sent).hasSize(2);
    }

    @Test
    void oneWhoseRequestBreaksHoldsTheOthersUpNoLongerEither() {
        IllegalStateException broken = new IllegalStateException("broken");
        CompletableFuture<ApiResult<String>> thrown = outbox.post(() -> {
                    throw broken;
                })
                .toCompletableFuture();
        CompletableFuture<ApiResult<String>> failed =
                outbox.post(() -> CompletableFuture.failedStage(broken)).toCompletableFuture();
        outbox.post(this::send);

        loop.advance(EventOutbox.DELAY.plus(EventOutbox.PACE.multipliedBy(2)));

        assertThat(sent).hasSize(1);
        assertThat(thrown).isCompletedExceptionally();
        assertThat(failed).isCompletedExceptionally();
    }

    @Test
    void whereTooManyWaitTheLastOnesAreDropped() {
        for (int i = 0; i < EventOutbox.ROOM; i++) {
            outbox.post(this::send);
        }

        CompletableFuture<ApiResult<String>> result = outbox.post(this::send).toCompletableFuture();
        loop.runReady();

        assertThat(result.join()).isInstanceOf(ApiResult.Refused.class);
    }

    @Test
    void itComesToRestAndBeginsAgain() {
        outbox.post(this::send);
        loop.advance(EventOutbox.DELAY);
        sent.get(0).complete(new ApiResult.Ok<>("first"));
        loop.advance(EventOutbox.DELAY);

        outbox.post(this::send);
        loop.runReady();
        assertThat(sent).hasSize(1);
        loop.advance(EventOutbox.DELAY);

        assertThat(sent).hasSize(2);
    }
}
