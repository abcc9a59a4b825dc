package io.cle.samples.plainlease;

import io.cle.CoordinatedLeaseLock;
import io.cle.spring.event.OnLeaderChanged;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.event.EventListener;

/** Prints the leader and, if the better key leads, the reason. */
@SpringBootApplication
public class PlainLease {

    private final CoordinatedLeaseLock lock;
    private @Nullable String previous;

    PlainLease(CoordinatedLeaseLock lock) {
        this.lock = lock;
    }

    /** Runs the application until SIGTERM, which releases the lease. */
    public static void main(String[] args) {
        SpringApplication.run(PlainLease.class, args);
    }

    /** Called sequentially, once per change. */
    @EventListener
    void print(OnLeaderChanged event) {
        if (event.holder() != null) {
            String leader = event.holder() + key();
            System.out.println((event.isSelf() ? "I am the leader now: " : "new leader elected: ")
                    + leader
                    + (previous == null ? "" : ", after " + previous));
            previous = leader;
        }
    }

    private String key() {
        String key = lock.snapshot().observed().holderKey();
        return key == null ? "" : " (key " + key + ")";
    }
}
