package io.cle.coordinator.informer;

import java.util.function.Consumer;

import io.cle.api.WatchEvent;
import io.cle.runtime.EventLoop;
import io.kubernetes.client.informer.ResourceEventHandler;

/** Passes what an informer tells of one kind on to the event loop, in order. */
final class Feed<T, O extends Observed<T>> implements ResourceEventHandler<O> {

    private final EventLoop loop;
    private final Consumer<WatchEvent<T>> watcher;

    Feed(EventLoop loop, Consumer<WatchEvent<T>> watcher) {
        this.loop = loop;
        this.watcher = watcher;
    }

    @Override
    public void onAdd(O object) {
        tell(object);
    }

    @Override
    public void onUpdate(O before, O object) {
        tell(object);
    }

    @Override
    public void onDelete(O object, boolean finalStateUnknown) {
        String version = finalStateUnknown ? null : object.getMetadata().getResourceVersion();
        loop.deliver(() -> watcher.accept(new WatchEvent.Removed<>(object.key(), version)));
    }

    private void tell(O object) {
        loop.deliver(() -> {
            object.event().ifPresent(watcher);
            object.listing().ifPresent(Listing::delivered);
        });
    }
}
