package io.cle.samples.firstleader;

import java.util.regex.Pattern;

import io.cle.spring.onleader.OnLeader;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;

/** An application whose led work prints the kind of its thread. This build's JDK has only one kind. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
public class ThreadOfLedWork {

    static final Pattern PRINTED = Pattern.compile("led work runs on a (virtual|platform) thread");

    public static void main(String[] args) {
        SpringApplication.run(ThreadOfLedWork.class, args);
    }

    @OnLeader
    void work() throws ReflectiveOperationException {
        boolean virtual = (boolean) Thread.class.getMethod("isVirtual").invoke(Thread.currentThread());
        System.out.println("led work runs on a " + (virtual ? "virtual" : "platform") + " thread");
    }
}
