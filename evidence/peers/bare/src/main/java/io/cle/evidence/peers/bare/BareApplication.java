package io.cle.evidence.peers.bare;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Starts, and does nothing until SIGTERM. */
@SpringBootApplication
public class BareApplication {

    /** Runs it. */
    public static void main(String[] args) {
        SpringApplication.run(BareApplication.class, args);
    }
}
