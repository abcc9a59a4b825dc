package io.cle.spring.onleader.internal.guard;

import java.lang.reflect.Method;
import java.util.function.Supplier;

import io.cle.Term;
import io.cle.spring.onleader.internal.term.LeaderRun;
import org.reactivestreams.Publisher;
import org.springframework.core.KotlinDetector;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** Guarded methods of reactive types. Loaded only if Reactor is on the class path. */
public final class ReactiveRuns {

    private ReactiveRuns() {}

    /**
     * What a guarded method returns: a publisher that asks who leads each time it is subscribed to. A scheduler calls the method once,
     * at startup, and subscribes at each tick. It completes empty if this process doesn't lead, and is cancelled when the run's term
     * ends.
     *
     * @param calls one for each subscription
     */
    static Object guarded(Method method, Supplier<GuardedCall> calls) {
        Flux<Object> guarded = Flux.defer(() -> run(calls.get(), method));
        if (KotlinDetector.isSuspendingFunction(method)) {
            return method.getReturnType().getName().equals("kotlinx.coroutines.flow.Flow") ? guarded : single(guarded);
        }
        ReactiveAdapter adapter = adapter(method.getReturnType());
        return adapter.fromPublisher(adapter.isMultiValue() ? guarded : single(guarded));
    }

    /** Waits for the completion after the value. {@code next()} would cancel the work in place of it, as if it had been stopped. */
    private static Mono<Object> single(Flux<Object> guarded) {
        return guarded.singleOrEmpty();
    }

    private static ReactiveAdapter adapter(Class<?> type) {
        ReactiveAdapter adapter = ReactiveAdapterRegistry.getSharedInstance().getAdapter(type);
        if (adapter == null) {
            throw new IllegalStateException(type + " is no reactive type");
        }
        return adapter;
    }

    private static Flux<Object> run(GuardedCall call, Method method) {
        LeaderRun run = call.enter();
        if (run == null) {
            return Flux.empty();
        }
        Sinks.Empty<Object> stop = Sinks.empty();
        if (call.guard().target().interrupt()) {
            run.onStop(stop::tryEmitEmpty);
        }
        return Flux.<Object>defer(() -> Flux.from(publisher(call, method)))
                .takeUntilOther(stop.asMono())
                .doOnComplete(call::succeeded)
                .doOnCancel(call::succeeded)
                .doOnError(failure -> call.failed(run, failure))
                .doFinally(signal -> call.leave(run))
                .contextWrite(context -> context.put(Term.class, run.term()));
    }

    private static Publisher<?> publisher(GuardedCall call, Method method) {
        try {
            Object result = call.proceedAnew();
            if (result instanceof Publisher<?> publisher) {
                return publisher;
            }
            return result == null
                    ? Mono.empty()
                    : adapter(method.getReturnType()).toPublisher(result);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            return Flux.error(e);
        }
    }
}
