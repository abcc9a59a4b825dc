package io.cle.kubernetes.internal.client;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.cle.lock.internal.VirtualLoop;
import io.cle.model.internal.ApiResult;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class EventOutboxTest {

    private final VirtualLoop loop = new VirtualLoop();
    private final EventOutbox outbox = new EventOutbox(loop);
    private final List<CompletableFuture<ApiResult<String>>> sent = new ArrayList<>();

    private CompletionStage<ApiResult<String>> post() {
        CompletionStage<ApiResult<String>> result = outbox.post(() -> {
            CompletableFuture<ApiResult<String>> answer = new CompletableFuture<>();
            sent.add(answer);
            return answer;
        });
        loop.runReady();
        return result;
    }

    private void answer() {
        sent.get(sent.size() - 1).complete(new ApiResult.Ok<>("stored"));
        loop.runReady();
    }

    @Test
    void anEventIsSentWhenTheOneBeforeWasAnswered() {
        CompletionStage<ApiResult<String>> first = post();
        post();
        assertThat(sent).hasSize(1);

        answer();

        assertThat(first).isCompletedWithValue(new ApiResult.Ok<>("stored"));
        assertThat(sent).hasSize(2);
    }

    @Test
    void anEventThatFailsKeepsNoOtherFromBeingSent() {
        CompletionStage<ApiResult<String>> failing = outbox.post(() -> {
            throw new IllegalStateException("no client");
        });
        loop.runReady();

        assertThat(failing.toCompletableFuture()).isCompletedExceptionally();
        post();
        assertThat(sent).hasSize(1);
    }

    @Test
    void eventsBeyondTheBufferAreDropped() {
        post();
        for (int i = 0; i < EventOutbox.ROOM; i++) {
            assertThat(post()).isNotCompleted();
        }

        CompletionStage<ApiResult<String>> dropped = post();

        assertThat(dropped.toCompletableFuture().join()).isInstanceOf(ApiResult.Refused.class);
        answer();
        assertThat(post()).as("there is room again").isNotCompleted();
    }
}
