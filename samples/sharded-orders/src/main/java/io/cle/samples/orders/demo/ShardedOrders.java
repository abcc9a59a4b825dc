package io.cle.samples.orders.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

import io.cle.samples.orders.OrdersApplication;
import org.springframework.boot.convert.DurationStyle;

/**
 * The demo's program: {@code java -jar sharded-orders.jar [--pause=1500ms] [--coordinator=cle-coordinator-app.jar]}.
 * Needs no cluster; exits with 0 if nothing went wrong. With {@link #REPLICA} as the first argument, the program is a
 * replica of the application instead: the demo starts its replicas in this way.
 */
public final class ShardedOrders {

    /** The first argument of a process that is a replica. */
    static final String REPLICA = "replica";

    private static final String PAUSE = "--pause=";
    private static final String COORDINATOR = "--coordinator=";
    private static final int USAGE = 64;

    private ShardedOrders() {}

    /** Runs the demo and exits, or runs a replica. */
    public static void main(String[] args) throws IOException {
        if (args.length > 0 && args[0].equals(REPLICA)) {
            OrdersApplication.main(Arrays.copyOfRange(args, 1, args.length));
            return;
        }
        Settings settings = Settings.DEFAULT;
        for (String arg : args) {
            if (arg.startsWith(PAUSE)) {
                settings = settings.pausing(DurationStyle.detectAndParse(arg.substring(PAUSE.length())));
            } else if (arg.startsWith(COORDINATOR)) {
                settings = settings.coordinatedBy(Path.of(arg.substring(COORDINATOR.length())));
            } else {
                System.err.println("unknown argument '" + arg + "'; there are " + PAUSE + "<duration>, like " + PAUSE
                        + "0ms, after each step, and " + COORDINATOR + "<the coordinator's jar>");
                System.exit(USAGE);
            }
        }
        if (!Files.isRegularFile(settings.coordinator())) {
            System.err.println("there is no " + settings.coordinator()
                    + "; build the project first, and start the demo in its root");
            System.exit(USAGE);
        }
        Path logs = Files.createTempDirectory("sharded-orders-");
        // logback.xml reads this property, so it must be set before anything logs.
        System.setProperty(ReplicaProcess.LOG, logs.resolve("demo.log").toString());
        int exitCode = new Demo(settings, logs, System.out).run();
        System.out.println("What each process logged meanwhile: " + logs);
        System.exit(exitCode);
    }
}
