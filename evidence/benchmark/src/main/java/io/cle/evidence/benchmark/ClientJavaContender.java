package io.cle.evidence.benchmark;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

import io.cle.evidence.process.UnixTime;
import io.kubernetes.client.extended.leaderelection.LeaderElectionConfig;
import io.kubernetes.client.extended.leaderelection.LeaderElector;
import io.kubernetes.client.extended.leaderelection.resourcelock.LeaseLock;
import io.kubernetes.client.util.Config;

/** A candidate that uses client-java's own elector, and prints what happens as {@code candidate.jar} does. */
final class ClientJavaContender {

    private ClientJavaContender() {}

    /** Is a candidate until the process ends; a leader that gets SIGTERM releases the lease. */
    static void run(String namespace, String lease, String identity) throws IOException {
        LeaderElector elector = new LeaderElector(new LeaderElectionConfig(
                new LeaseLock(namespace, lease, lease + "-" + identity, Config.defaultClient()),
                Duration.ofSeconds(15),
                Duration.ofSeconds(10),
                Duration.ofSeconds(2)));
        AtomicBoolean leads = new AtomicBoolean();
        Runnable revoked = () -> {
            if (leads.getAndSet(false)) {
                print("revoked");
            }
        };
        Runtime.getRuntime()
                .addShutdownHook(new Thread(
                        () -> {
                            // It would release first, and only then say that it no longer leads.
                            revoked.run();
                            elector.close();
                        },
                        "release"));
        print("boot");
        elector.run(
                () -> {
                    leads.set(true);
                    print("granted");
                },
                revoked);
    }

    private static synchronized void print(String what) {
        System.out.println(UnixTime.now() + " " + what);
        System.out.flush();
    }
}
