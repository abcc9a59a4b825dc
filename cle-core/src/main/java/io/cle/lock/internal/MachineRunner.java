package io.cle.lock.internal;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.cle.loop.internal.EventLoop;
import io.cle.model.ObjectKey;
import io.cle.model.internal.ApiResult;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs one state machine of a lock: carries out its actions, sends its requests, and wakes it in time. Every exception is logged and the machine
 * continues: each request gets an answer, and later actions are carried out ({@code safety.md#callbacks-off-the-renewal-path}). Otherwise a brief
 * lack of memory for a thread would stop the renewals. Confined to the event loop.
 */
final class MachineRunner {

    private static final Logger log = LoggerFactory.getLogger(LeaseLock.class);

    private final ObjectKey lease;
    private final EventLoop loop;
    private final LockJournal journal;
    private final Runnable tick;
    private EventLoop.@Nullable Timer timer;

    /** When the machine is woken; {@link LockState#NEVER} if no timer is set. */
    private long wakeAt = LockState.NEVER;

    /**
     * Creates a runner without a timer.
     *
     * @param tick runs on the loop at the instant of {@link #wakeAt}
     */
    MachineRunner(ObjectKey lease, EventLoop loop, LockJournal journal, Runnable tick) {
        this.lease = lease;
        this.loop = loop;
        this.journal = journal;
        this.tick = () -> {
            wakeAt = LockState.NEVER;
            tick.run();
        };
    }

    /** Carries out the actions of a step, in their order. */
    <A> void carryOut(List<A> actions, Consumer<A> each) {
        for (A action : actions) {
            try {
                each.accept(action);
            } catch (RuntimeException | Error e) {
                log.error("Lease {}: {} has failed; this is a bug, please report it", lease, action, e);
                journal.remember("a task of the lock has failed: " + e);
            }
        }
    }

    /**
     * Sends a request. If it fails without a result, its outcome is unknown.
     *
     * @param answered receives the result, on the loop
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
                    "Lease {}: a request has failed without a result; this is a bug, please report it", lease, failure);
            // Not within the step that has sent the request.
            loop.execute(() -> handle(answered, new ApiResult.OutcomeUnknown<>("the request has failed: " + failure)));
        });
    }

    private <T> void handle(Consumer<ApiResult<T>> answered, ApiResult<T> result) {
        try {
            answered.accept(result);
        } catch (RuntimeException | Error e) {
            log.error("Lease {}: the answer {} can't be handled; this is a bug, please report it", lease, result, e);
        }
    }

    /**
     * Sets the time at which the machine is woken, and replaces the previous one.
     *
     * @param instant nanoseconds of the loop's clock; {@link LockState#NEVER} for none
     */
    void wakeAt(long instant) {
        // Most events of a machine leave the instant as it is.
        if (instant == wakeAt) {
            return;
        }
        wakeAt = instant;
        if (timer != null) {
            timer.cancel();
        }
        timer = instant == LockState.NEVER
                ? null
                : loop.schedule(Duration.ofNanos(instant - loop.clock().nanos()), tick);
    }
}
