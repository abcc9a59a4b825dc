package io.cle.samples.orders;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** The application: works on orders in as many replicas as there are. Its {@code application.yml} says in how many shards. */
@SpringBootApplication
public class OrdersApplication {

    /** Runs it until SIGTERM. */
    public static void main(String[] args) {
        SpringApplication.run(OrdersApplication.class, args);
    }
}
