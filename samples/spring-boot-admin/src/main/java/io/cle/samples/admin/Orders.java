package io.cle.samples.admin;

import io.cle.Term;
import io.cle.spring.onleader.OnLeader;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;

/** An application that registers with Spring Boot Admin. */
@EnableAutoConfiguration
@SpringBootConfiguration(proxyBeanMethods = false)
public class Orders {

    /** Bills while this process leads. */
    @OnLeader
    public void bill(Term term) throws InterruptedException {
        while (term.isValid()) {
            Thread.sleep(1000);
        }
    }
}
