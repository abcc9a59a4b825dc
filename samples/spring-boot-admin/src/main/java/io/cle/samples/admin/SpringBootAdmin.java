package io.cle.samples.admin;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

import de.codecentric.boot.admin.server.config.EnableAdminServer;
import io.cle.test.apiserver.EmbeddedApiServer;
import io.cle.test.coordinator.EmbeddedCoordinator;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** Spring Boot Admin, two replicas of an application, and a cluster for them, all in this process. */
public final class SpringBootAdmin implements AutoCloseable {

    private final Deque<Runnable> ends = new ArrayDeque<>();
    private final int port;

    private SpringBootAdmin(int port) {
        EmbeddedApiServer cluster = EmbeddedApiServer.start();
        ends.push(cluster::close);
        ends.push(EmbeddedCoordinator.start(cluster.url())::close);
        ConfigurableApplicationContext server = run(
                Server.class,
                "--server.port=" + port,
                "--cle.enabled=false",
                "--spring.boot.admin.client.enabled=false");
        this.port = server.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
        for (String version : List.of("1.0.0", "1.1.0")) {
            run(
                    Orders.class,
                    "--server.port=0",
                    "--spring.application.name=orders",
                    "--cle.namespace=shop",
                    "--cle.kubernetes.base-url=" + cluster.url(),
                    "--cle.candidate.binary-version=" + version,
                    "--cle.leases.reports.candidate.strategy=NewestCompatibilityVersion",
                    "--management.endpoints.web.exposure.include=health,metrics,leaderelection",
                    "--management.endpoint.health.show-details=always",
                    "--spring.boot.admin.client.url=http://127.0.0.1:" + this.port);
        }
    }

    /** The server. The view is in {@code META-INF/spring-boot-admin-server-ui/extensions} of this jar. */
    @EnableAdminServer
    @EnableAutoConfiguration
    @SpringBootConfiguration(proxyBeanMethods = false)
    static class Server {}

    private ConfigurableApplicationContext run(Class<?> application, String... properties) {
        ConfigurableApplicationContext context = new SpringApplicationBuilder(application)
                .registerShutdownHook(false)
                .properties("server.address=127.0.0.1", "spring.main.banner-mode=off")
                .run(properties);
        ends.push(context::close);
        return context;
    }

    /** Starts everything. */
    static SpringBootAdmin start(int port) {
        return new SpringBootAdmin(port);
    }

    /** Returns the URL of Spring Boot Admin. */
    String url() {
        return "http://127.0.0.1:" + port;
    }

    @Override
    public void close() {
        while (!ends.isEmpty()) {
            ends.pop().run();
        }
    }

    /** Runs until a signal ends the process. */
    public static void main(String[] args) {
        System.out.println("Spring Boot Admin: " + start(8080).url());
    }
}
