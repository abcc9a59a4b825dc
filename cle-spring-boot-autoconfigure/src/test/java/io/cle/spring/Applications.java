package io.cle.spring;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.cle.kubernetes.KubernetesAccess;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** Complete applications in this JVM, all on one API server. */
final class Applications implements AutoCloseable {

    private final KubernetesAccess access;
    private final Map<String, ConfigurableApplicationContext> running = new LinkedHashMap<>();

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}

    Applications(KubernetesAccess access) {
        this.access = access;
    }

    /**
     * Starts an application.
     *
     * @param identity its identity as a candidate
     * @param shared a bean that all applications share
     * @param beans its other beans
     */
    ConfigurableApplicationContext start(String identity, Object shared, List<Class<?>> beans, String... arguments) {
        List<String> all = new ArrayList<>(Arrays.asList(arguments));
        all.add("--cle.identity=" + identity);
        all.add("--cle.namespace=default");
        ConfigurableApplicationContext context = new SpringApplicationBuilder(
                        Stream.concat(Stream.of(Application.class), beans.stream())
                                .toArray(Class<?>[]::new))
                .web(WebApplicationType.NONE)
                .bannerMode(Banner.Mode.OFF)
                .registerShutdownHook(false)
                .initializers(starting -> {
                    starting.getBeanFactory().registerSingleton("access", access);
                    starting.getBeanFactory().registerSingleton("identity", identity);
                    starting.getBeanFactory().registerSingleton("shared", shared);
                })
                .run(all.toArray(String[]::new));
        running.put(identity, context);
        return context;
    }

    /** Closes an application. */
    void end(String identity) {
        running.remove(identity).close();
    }

    @Override
    public void close() {
        running.values().forEach(ConfigurableApplicationContext::close);
    }
}
