package io.cle.runtime.internal.lock;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.cle.model.ObjectKey;
import io.cle.model.internal.ApiResult;
import io.cle.runtime.internal.loop.EventLoop;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out what the state machines of a lock ask for. Whatever is thrown meanwhile is logged, and the machine goes on: it gets an answer
 * to each request, and the actions after one that has thrown are carried out ({@code safety.md#callbacks-off-the-renewal-path}). Otherwise
 * a lock would renew nothing any more, or a candidate would expire, because for an instant there was no memory for a thread.
 */
final class FailureBoundary {

    private static final Logger log = LoggerFactory.getLogger(LeaseLock.class);

    private final ObjectKey lease;
    private final EventLoop loop;
    private final LockJournal journal;

    FailureBoundary(ObjectKey lease, EventLoop loop, LockJournal journal) {
        this.lease = lease;
        this.loop = loop;
        this.journal = journal;
    }

    /** Carries out an action. */
    void action(Object action, Runnable carryOut) {
        try {
            carryOut.run();
        } catch (RuntimeException | Error e) {
            log.error("lease {}: {} has failed; this is a bug, please report it", lease, action, e);
            journal.remember("a task of the lock has failed: " + e);
        }
    }

    /**
     * Sends a request. One that fails otherwise than by its result has an unknown outcome.
     *
     * @param answered is given the result, on the loop
     */
    <T> void request(Supplier<CompletionStage<ApiResult<T>>> request, Consumer<ApiResult<T>> answered) {
        CompletionStage<ApiResult<T>> answer;
        try {
            answer = request.get();
        } catch (RuntimeException | Error e) {
            answer = CompletableFuture.failedStage(e);
        }
        answer.whenComplete((result, failure) -> {
            if (failure == null) {
                handle(answered, result);
                return;
            }
            log.error(
                    "lease {}: a request has failed without a result; this is a bug, please report it", lease, failure);
            // Not within the step that has sent the request.
            loop.execute(() -> handle(answered, new ApiResult.OutcomeUnknown<>("the request has failed: " + failure)));
        });
    }

    private <T> void handle(Consumer<ApiResult<T>> answered, ApiResult<T> result) {
        try {
            answered.accept(result);
        } catch (RuntimeException | Error e) {
            log.error("lease {}: the answer {} can't be handled; this is a bug, please report it", lease, result, e);
        }
    }
}
