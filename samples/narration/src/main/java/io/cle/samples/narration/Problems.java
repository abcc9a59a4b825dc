package io.cle.samples.narration;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Collects violations of what must never happen. Thread-safe. */
public final class Problems implements Consumer<String> {

    /** A sampler would report one violation a thousand times. */
    private static final int ENOUGH = 20;

    private final List<String> messages = new ArrayList<>();

    @Override
    public synchronized void accept(String message) {
        if (messages.size() < ENOUGH && !messages.contains(message)) {
            messages.add(message);
        }
    }

    public synchronized List<String> messages() {
        return List.copyOf(messages);
    }
}
