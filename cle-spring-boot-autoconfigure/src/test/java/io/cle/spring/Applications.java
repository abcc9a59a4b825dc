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

/** Whole applications in this JVM, all on one API server. */
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
     * Starts one.
     *
     * @param identity under what name it stands
     * @param shared a bean that it shares with the others
     * @param beans what else it consists of
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

    /** Ends one in good order. */
    void end(String identity) {
        running.remove(identity).close();
    }

    @Override
    public void close() {
        running.values().forEach(ConfigurableApplicationContext::close);
    }
}
