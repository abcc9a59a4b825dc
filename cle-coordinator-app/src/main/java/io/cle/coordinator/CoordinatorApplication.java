package io.cle.coordinator;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;

/** The coordinator. */
@SpringBootApplication
@ConfigurationPropertiesScan
public class CoordinatorApplication {

    /**
     * Runs the coordinator until it's ended by a signal. A start that fails ends the process: the threads of the controller
     * machinery are no daemons and would keep it running without coordinating anything.
     */
    @SuppressWarnings("SystemExitOutsideMain")
    public static void main(String[] args) {
        try {
            SpringApplication.run(CoordinatorApplication.class, args);
        } catch (SpringApplication.AbandonedRunException e) {
            // Not a failure: process-aot has seen enough.
            throw e;
        } catch (RuntimeException | Error e) {
            System.exit(1);
        }
    }
}
