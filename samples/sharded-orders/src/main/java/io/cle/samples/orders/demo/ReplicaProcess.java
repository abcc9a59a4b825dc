package io.cle.samples.orders.demo;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.cle.Timings;

/** A replica of the application, in a separate process. Replicas differ only in properties of the starter. */
final class ReplicaProcess {

    /** The system property for the log file of a process. */
    static final String LOG = "sharded-orders.log";

    private final String identity;
    private final String version;
    private final JavaProgram program;

    private ReplicaProcess(String identity, String version, JavaProgram program) {
        this.identity = identity;
        this.version = version;
        this.program = program;
    }

    /**
     * Starts a replica.
     *
     * @param kubeconfig for the API server
     * @param store the URL of the store of orders
     * @param logs the directory of its log
     */
    static ReplicaProcess start(
            String identity, String version, Path kubeconfig, String store, Timings timings, Path logs) {
        List<String> arguments = new ArrayList<>(List.of("-D" + LOG + "=" + logs.resolve(identity + ".log")));
        arguments.addAll(thisProgram());
        arguments.addAll(List.of(
                ShardedOrders.REPLICA,
                "--orders.store=" + store,
                "--cle.mode=kubernetes",
                "--cle.identity=" + identity,
                "--cle.candidate.binary-version=" + version,
                "--cle.lease-duration=" + timings.leaseDuration().toMillis() + "ms",
                "--cle.renew-deadline=" + timings.renewDeadline().toMillis() + "ms",
                "--cle.retry-period=" + timings.retryPeriod().toMillis() + "ms"));
        return new ReplicaProcess(
                identity,
                version,
                JavaProgram.start(
                        arguments, Map.of("KUBECONFIG", kubeconfig.toString()), logs.resolve(identity + ".out")));
    }

    /** Returns the arguments with which Java runs this process's program: an executable jar, or classes of a build. */
    private static List<String> thisProgram() {
        String classPath = System.getProperty("java.class.path");
        return classPath.endsWith(".jar") && Files.isRegularFile(Path.of(classPath))
                ? List.of("-jar", classPath)
                : List.of("-cp", classPath, ShardedOrders.class.getName());
    }

    /** Returns its name as a candidate and as the holder of shards. */
    String name() {
        return "orders-" + identity;
    }

    String version() {
        return version;
    }

    JavaProgram program() {
        return program;
    }

    @Override
    public String toString() {
        return name() + " (" + version + ")";
    }
}
