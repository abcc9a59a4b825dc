package io.cle.samples.orders;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** The application, which works on orders in any number of replicas. Its {@code application.yml} sets the number of shards. */
@SpringBootApplication
public class OrdersApplication {

    /** Runs the application until SIGTERM. */
    public static void main(String[] args) {
        SpringApplication.run(OrdersApplication.class, args);
    }
}
