package io.cle.spring.onleader.internal.guard;

import java.lang.reflect.Array;
import java.lang.reflect.Method;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;

import io.cle.Term;
import io.cle.runtime.internal.loop.ThreadEventLoop;
import io.cle.spring.onleader.internal.bean.LedResults;
import io.cle.spring.onleader.internal.bean.OnLeaderBean;
import io.cle.spring.onleader.internal.term.LeaderRun;
import io.cle.spring.onleader.internal.work.LeaseWork;
import io.cle.spring.onleader.internal.work.WorkLog;
import io.cle.spring.onleader.internal.work.WorkStatus;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.util.ClassUtils;

/**
 * One call of a guarded method, or one subscription to what it returned.
 *
 * @param lease by which it is led; {@code null} if no process leads, or another application does
 * @param work the bean and its method
 */
record GuardedCall(
        MethodInvocation invocation,
        Method method,
        OnLeaderBean.Guard guard,
        @Nullable LeaseWork lease,
        String work) {

    private static final Logger log = LoggerFactory.getLogger(GuardedCall.class);

    /** Lets the run in; {@code null} if this process doesn't lead. */
    @Nullable
    LeaderRun enter() {
        LeaderRun run = lease == null ? null : lease.enter(work);
        if (run == null) {
            log.debug("{} isn't run, because this process doesn't lead", work);
        } else {
            status().becomes(WorkStatus.State.RUNNING);
        }
        return run;
    }

    private LeaseWork leader() {
        if (lease == null) {
            throw new IllegalStateException(work + " runs although no process leads");
        }
        return lease;
    }

    private WorkLog status() {
        return leader().logOf(work);
    }

    /** The run has ended well. */
    void succeeded() {
        status().becomes(WorkStatus.State.IDLE);
    }

    /** The run has failed; an interrupt or a cancellation at the end of its term is no failure. */
    void failed(LeaderRun run, Throwable failure) {
        if (run.isStoppedBy(failure)) {
            log.debug("{} was interrupted by the end of its term", work);
            succeeded();
        } else {
            leader().failed(run, status(), guard.target().onFailure(), failure);
        }
    }

    /** Nothing of the run goes on. */
    void leave(LeaderRun run) {
        leader().leave(run);
    }

    /** Calls the method anew, for a further subscription. */
    @Nullable
    Object proceedAnew() throws Throwable {
        return ((ProxyMethodInvocation) invocation).invocableClone().proceed();
    }

    /** Calls the method if this process leads, and returns what it returned or else nothing. */
    @Nullable
    Object call() throws Throwable {
        LeaderRun run = enter();
        if (run == null) {
            return nothing(method.getReturnType());
        }
        boolean goesOn = false;
        Term outer = Term.enter(run.term());
        run.enterThread(guard.interrupts());
        try {
            Object result = invocation.proceed();
            goesOn = goesOn(run, result);
            if (!goesOn) {
                succeeded();
            }
            return result;
        } catch (Throwable failure) {
            failed(run, failure);
            if (guard.interrupts() && run.isStoppedBy(failure)) {
                // The scheduler would log as an error what is the ordinary end of a term.
                return nothing(method.getReturnType());
            }
            throw failure;
        } finally {
            run.leaveThread();
            Term.enter(outer);
            if (!goesOn) {
                leave(run);
            }
        }
    }

    private boolean goesOn(LeaderRun run, @Nullable Object result) {
        Future<?> future = LedResults.isFuture(method.getReturnType())
                ? LedResults.toFuture(method.getReturnType(), result)
                : null;
        if (future == null || (future.isDone() && !(future instanceof CompletableFuture))) {
            return false;
        }
        if (guard.target().interrupt()) {
            run.onStop(() -> future.cancel(true));
        }
        completion(future).whenComplete((value, failure) -> {
            if (failure == null) {
                succeeded();
            } else {
                failed(run, failure);
            }
            leave(run);
        });
        return true;
    }

    private CompletableFuture<?> completion(Future<?> future) {
        if (future instanceof CompletableFuture<?> completable) {
            return completable;
        }
        // A plain future calls nothing when it is complete, so a thread has to wait for it.
        CompletableFuture<@Nullable Void> completion = new CompletableFuture<>();
        ThreadEventLoop.daemon(
                        () -> {
                            try {
                                future.get();
                                completion.complete(null);
                            } catch (InterruptedException | RuntimeException e) {
                                completion.completeExceptionally(e);
                            } catch (ExecutionException e) {
                                completion.completeExceptionally(e.getCause() == null ? e : e.getCause());
                            }
                        },
                        "cle-awaits-" + work)
                .start();
        return completion;
    }

    /** What a method of a type returns if it isn't run. */
    private static @Nullable Object nothing(Class<?> type) {
        if (type.isPrimitive() && type != void.class) {
            // A proxy converts no numbers: the box has to be of the very type.
            return Array.get(Array.newInstance(type, 1), 0);
        }
        if (type == Optional.class) {
            return Optional.empty();
        }
        return LedResults.isFuture(type) && ClassUtils.isAssignable(type, CompletableFuture.class)
                ? CompletableFuture.completedFuture(null)
                : null;
    }
}
