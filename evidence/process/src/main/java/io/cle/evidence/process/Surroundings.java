package io.cle.evidence.process;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

import io.cle.test.apiserver.HttpApi;

/** Describes the environment of a measurement. */
public final class Surroundings {

    private Surroundings() {}

    /** Returns this machine and its Java. */
    public static String machine() {
        return String.format(
                Locale.ROOT,
                "Machine: %d cores, which the API server, etcd, the coordinator, the candidates and the harness share; %s; Java %s.",
                Runtime.getRuntime().availableProcessors(),
                System.getProperty("os.name"),
                System.getProperty("java.version"));
    }

    /** Returns this machine's load average: figures from a busy machine mean little. */
    public static String load() {
        double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
        return load < 0 ? "unknown" : String.format(Locale.ROOT, "%.1f", load);
    }

    /**
     * Returns the versions of the API server and its etcd.
     *
     * @param assets the directory of kube-apiserver and etcd
     */
    public static String apiServer(HttpApi api, Path assets) {
        return "kube-apiserver " + api.get("/version").json().get("gitVersion").getAsString()
                + etcd(assets.resolve("etcd"))
                        .map(version -> ", " + version + " without fsync")
                        .orElse("")
                + ".";
    }

    private static Optional<String> etcd(Path program) {
        try {
            Process process = new ProcessBuilder(program.toString(), "--version").start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return output.lines().findFirst().map(line -> line.replace("etcd Version:", "etcd"));
        } catch (IOException e) {
            // An unknown version doesn't prevent a measurement.
            return Optional.empty();
        }
    }
}
