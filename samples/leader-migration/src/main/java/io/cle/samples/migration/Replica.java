package io.cle.samples.migration;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.cle.CoordinatedLeaseLock;
import io.cle.LeadershipListener;
import io.cle.Timings;
import io.cle.samples.narration.StoryFailedException;
import io.cle.spring.lock.LeaseLockCustomizer;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** One replica of a service: an application context with its own identity, threads and connections. */
final class Replica implements AutoCloseable {

    private static final String NAMESPACE = "shop";

    /** The application of both services: the starter is on its class path, and the services differ in configuration. */
    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Service {}

    private final String name;
    private final ConfigurableApplicationContext context;

    private Replica(String name, ConfigurableApplicationContext context) {
        this.name = name;
        this.context = context;
    }

    /** Starts a replica like {@code java -jar}, and waits until it is a candidate for its service's lease. */
    static Replica start(Release release, String name, Board board, String apiServer, Settings settings)
            throws InterruptedException {
        CountDownLatch candidate = new CountDownLatch(1);
        List<Class<?>> sources = new ArrayList<>(release.jobs());
        sources.add(Service.class);
        ConfigurableApplicationContext context = new SpringApplicationBuilder(sources.toArray(Class<?>[]::new))
                .web(WebApplicationType.NONE)
                .bannerMode(Banner.Mode.OFF)
                .registerShutdownHook(false)
                .initializers(starting -> {
                    starting.getBeanFactory().registerSingleton("workplace", new Workplace(name, board));
                    starting.getBeanFactory()
                            .registerSingleton(
                                    "candidateObserver", countDownWhenCandidate(release.service(), candidate));
                })
                .run(properties(release, name, apiServer, settings.timings()));
        Duration patience = settings.patience();
        if (!candidate.await(patience.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new StoryFailedException(name + " is no candidate after " + patience);
        }
        return new Replica(name, context);
    }

    private static String[] properties(Release release, String name, String apiServer, Timings timings) {
        List<String> properties = new ArrayList<>(List.of(
                "--spring.application.name=" + release.service(),
                "--cle.kubernetes.base-url=" + apiServer,
                "--cle.namespace=" + NAMESPACE,
                "--cle.identity=" + name,
                "--cle.resource-lock=leases",
                "--cle.lease-duration=" + timings.leaseDuration().toMillis() + "ms",
                "--cle.renew-deadline=" + timings.renewDeadline().toMillis() + "ms",
                "--cle.retry-period=" + timings.retryPeriod().toMillis() + "ms"));
        if (release.migrates()) {
            properties.add("--cle.migration.enabled=true");
            properties.add("--cle.migration.config-file=classpath:leader-migration.yaml");
        }
        return properties.toArray(String[]::new);
    }

    private static LeaseLockCustomizer countDownWhenCandidate(String service, CountDownLatch candidate) {
        return (lease, lock) -> {
            if (lease.equals(service)) {
                lock.addListener(new LeadershipListener() {
                    @Override
                    public void onAnnounced() {
                        candidate.countDown();
                    }
                });
            }
        };
    }

    String name() {
        return name;
    }

    /** Whether it holds its service's lease. */
    boolean leadsItsService() {
        return context.getBean(CoordinatedLeaseLock.class).isLeader();
    }

    /** Stops it in an orderly way: its jobs are stopped, and then their leases are handed over. */
    @Override
    public void close() {
        context.close();
    }
}
