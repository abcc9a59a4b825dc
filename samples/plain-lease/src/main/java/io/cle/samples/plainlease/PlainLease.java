package io.cle.samples.plainlease;

import io.cle.spring.event.OnLeaderChanged;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.event.EventListener;

/** Prints who leads. */
@SpringBootApplication
public class PlainLease {

    /** Runs it until SIGTERM, which releases the lease. */
    public static void main(String[] args) {
        SpringApplication.run(PlainLease.class, args);
    }

    @EventListener
    void print(OnLeaderChanged event) {
        if (event.isSelf()) {
            System.out.println("I am the leader now: " + event.identity());
        } else if (event.holder() != null) {
            System.out.println("new leader elected: " + event.holder());
        }
    }
}
