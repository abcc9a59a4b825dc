package io.cle.samples.region;

import java.io.PrintStream;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import io.cle.CoordinatedLeaseLock;
import io.cle.LeadershipListener;
import io.cle.Term;
import io.cle.samples.narration.Narrator;
import io.cle.samples.narration.Problems;
import io.cle.samples.narration.Stopwatch;
import io.cle.samples.narration.StoryFailedException;
import io.cle.samples.narration.Verdict;
import io.cle.spring.lock.LeaseLockCustomizer;
import io.cle.test.apiserver.EmbeddedApiServer;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** The program: {@code java -jar closest-region.jar}. Needs no cluster; exits 0 if the closest replica led after each step, and never two at once. */
public final class ClosestRegion {

    private static final Duration LIMIT = Duration.ofMinutes(3);
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Narrator narrator;
    private final Stopwatch stopwatch = new Stopwatch();
    private final Problems problems = new Problems();
    private final Map<String, ConfigurableApplicationContext> replicas = new ConcurrentHashMap<>();
    private final Map<String, CoordinatedLeaseLock> locks = new ConcurrentHashMap<>();
    private final BlockingQueue<String> leaders = new LinkedBlockingQueue<>();

    private ClosestRegion(PrintStream out) {
        this.narrator = new Narrator(out);
    }

    /** Runs the story, and exits. */
    public static void main(String[] args) {
        System.exit(run(System.out));
    }

    /** Tells and checks the story; returns the exit code of the process. */
    static int run(PrintStream out) {
        ClosestRegion program = new ClosestRegion(out);
        Verdict verdict = new Verdict(program.narrator, program.problems);
        return verdict.of(
                () -> {
                    program.tell();
                    return verdict.judge(
                            "The closest replica led after each step", "whenever one began to lead, no other did");
                },
                LIMIT);
    }

    /** The application, the same in each region; only application.yaml configures who leads. */
    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Controller {}

    private void tell() throws InterruptedException {
        narrator.plain(
                "The controller of a cluster in Asia: asia-east is the closest region, then eu-west, then us-east.");
        try (EmbeddedApiServer server = EmbeddedApiServer.start()) {
            try {
                start("us-east", server);
                awaitLeader("us-east");
                start("eu-west", server);
                awaitLeader("eu-west");
                start("asia-east", server);
                awaitLeader("asia-east");
                stop("asia-east");
                awaitLeader("eu-west");
                start("asia-east", server);
                awaitLeader("asia-east");
            } finally {
                replicas.values().forEach(ConfigurableApplicationContext::close);
            }
        }
    }

    /** Starts a replica like a pod in its region, whose environment variable {@code REGION} is an argument here. */
    private void start(String region, EmbeddedApiServer server) {
        narrator.tell(stopwatch.now(), region + " is started");
        LeaseLockCustomizer watch = (lease, lock) -> {
            locks.put(region, lock);
            lock.addListener(new LeadershipListener() {
                @Override
                public void onGranted(Term term) {
                    granted(region);
                }
            });
        };
        ConfigurableApplicationContext replica = new SpringApplicationBuilder(Controller.class)
                .registerShutdownHook(false)
                .initializers(starting -> starting.getBeanFactory().registerSingleton("watch", watch))
                .run("--REGION=" + region, "--cle.identity=" + region, "--cle.kubernetes.base-url=" + server.url());
        replicas.put(region, replica);
    }

    private void stop(String region) {
        narrator.tell(stopwatch.now(), region + " is stopped");
        Objects.requireNonNull(replicas.get(region), region).close();
    }

    private void granted(String region) {
        narrator.good(stopwatch.now(), region + " leads");
        locks.forEach((other, lock) -> {
            if (!other.equals(region) && lock.isLeader()) {
                problems.accept(region + " began to lead while " + other + " did");
            }
        });
        leaders.add(region);
    }

    /** Waits until a region's replica leads. A replica that is farther away may lead first, if it observes earlier that the lock is free. */
    private void awaitLeader(String region) throws InterruptedException {
        String leader;
        do {
            leader = leaders.poll(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
            if (leader == null) {
                throw new StoryFailedException(region + " doesn't lead after " + PATIENCE.toSeconds() + " s");
            }
        } while (!leader.equals(region));
    }
}
