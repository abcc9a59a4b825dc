package io.cle.samples.recipes;

import io.cle.CoordinatedLeaseLock;
import org.awaitility.Awaitility;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** An application with the lease {@code recipes} that needs no cluster: it leads at once, and doesn't rejoin for a long time after a resignation. */
final class Standalone {

    private Standalone() {}

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}

    /** Starts the application; returns when it leads. */
    static ConfigurableApplicationContext run(Class<?>... configuration) {
        return run("recipes.none=", configuration);
    }

    /** Starts the application with an additional property; returns when it leads. */
    static ConfigurableApplicationContext run(String property, Class<?>... configuration) {
        ConfigurableApplicationContext context = new SpringApplicationBuilder(Application.class)
                .sources(configuration)
                .web(WebApplicationType.NONE)
                .registerShutdownHook(false)
                .run(
                        "--spring.application.name=recipes",
                        "--cle.mode=standalone",
                        "--cle.lease-duration=10m",
                        "--spring.main.banner-mode=off",
                        "--" + property);
        Awaitility.await().until(lock(context)::isLeader);
        return context;
    }

    static CoordinatedLeaseLock lock(ConfigurableApplicationContext context) {
        return context.getBean(CoordinatedLeaseLock.class);
    }

    /** Ends the term; returns when its work has ended and the lease is released. */
    static void resign(ConfigurableApplicationContext context) {
        lock(context).resign().toCompletableFuture().join();
    }
}
