package io.cle.spring.onleader.internal.result;

import java.util.concurrent.Future;

import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;

/** Publishers as work that goes on. Loaded only if Reactor is on the class path. */
final class Publishers {

    private Publishers() {}

    /** Subscribes to a publisher until it is complete, or until the future is cancelled. */
    static Future<?> subscribe(Publisher<?> publisher) {
        return Flux.from(publisher).then().toFuture();
    }
}
