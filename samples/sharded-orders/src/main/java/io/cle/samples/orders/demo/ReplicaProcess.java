package io.cle.samples.orders.demo;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.cle.Timings;

/** A replica of the application, a process of its own. All that is particular to it is a property of the starter. */
final class ReplicaProcess {

    /** The system property that says where a process logs. */
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
     * Starts one.
     *
     * @param kubeconfig how it reaches the API server
     * @param store where the orders are
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

    /** Returns the arguments by which Java runs the program that this process runs: an executable jar, or classes of a build. */
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

    /** Returns its version. */
    String version() {
        return version;
    }

    /** Returns its process. */
    JavaProgram program() {
        return program;
    }

    @Override
    public String toString() {
        return name() + " (" + version + ")";
    }
}
