package io.cle.web;

import java.io.UncheckedIOException;
import java.net.BindException;
import java.util.Objects;

import org.springframework.boot.Banner;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.http.converter.autoconfigure.HttpMessageConvertersAutoConfiguration;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.tomcat.autoconfigure.servlet.TomcatServletWebServerAutoConfiguration;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;
import org.springframework.boot.webmvc.autoconfigure.DispatcherServletAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.error.ErrorMvcAutoConfiguration;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.NestedExceptionUtils;

/**
 * Serves the page on the loopback interface from a process that isn't the coordinator application but contains a coordinator. Thread-safe.
 */
public final class PageServer implements AutoCloseable {

    private final ServletWebServerApplicationContext context;

    private PageServer(ServletWebServerApplicationContext context) {
        this.context = context;
    }

    /**
     * Starts to serve the page.
     *
     * @param port the port; 0 for a free one
     * @throws UncheckedIOException if the port is in use
     */
    public static PageServer start(int port, CoordinatorSnapshots snapshots) {
        try {
            return new PageServer(run(port, snapshots));
        } catch (RuntimeException e) {
            if (NestedExceptionUtils.getMostSpecificCause(e) instanceof BindException taken) {
                throw new UncheckedIOException("the page can't listen on port " + port, taken);
            }
            throw e;
        }
    }

    private static ServletWebServerApplicationContext run(int port, CoordinatorSnapshots snapshots) {
        return (ServletWebServerApplicationContext) new SpringApplicationBuilder(Application.class)
                .bannerMode(Banner.Mode.OFF)
                .logStartupInfo(false)
                .registerShutdownHook(false)
                .initializers(context ->
                        ((GenericApplicationContext) context).registerBean(CoordinatorSnapshots.class, () -> snapshots))
                .run(
                        "--server.address=127.0.0.1",
                        "--server.port=" + port,
                        "--server.shutdown=immediate",
                        // The surrounding process has its own properties, which don't configure this page.
                        "--spring.config.location=optional:classpath:/cle/page-server/");
    }

    /** Returns the URL of the page. */
    public String url() {
        return "http://127.0.0.1:"
                + Objects.requireNonNull(context.getWebServer()).getPort();
    }

    @Override
    public void close() {
        context.close();
    }

    /** Imports only what the page needs, regardless of the surrounding process's class path. */
    @SpringBootConfiguration(proxyBeanMethods = false)
    @ImportAutoConfiguration({
        TomcatServletWebServerAutoConfiguration.class,
        DispatcherServletAutoConfiguration.class,
        HttpMessageConvertersAutoConfiguration.class,
        WebMvcAutoConfiguration.class,
        ErrorMvcAutoConfiguration.class,
        JacksonAutoConfiguration.class,
        CoordinatorPageAutoConfiguration.class
    })
    static class Application {}
}
