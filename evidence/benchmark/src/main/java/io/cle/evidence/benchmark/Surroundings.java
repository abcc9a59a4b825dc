package io.cle.evidence.benchmark;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

/** On what it was measured, for people. */
final class Surroundings {

    private Surroundings() {}

    /** This machine and its Java. */
    static String machine() {
        return String.format(
                Locale.ROOT,
                "Machine: %d cores, which the API server, etcd, the coordinator, the candidates and the benchmark share; %s; Java %s.",
                Runtime.getRuntime().availableProcessors(),
                System.getProperty("os.name"),
                System.getProperty("java.version"));
    }

    /** How busy this machine is with whatever runs on it: figures of a busy one say little. */
    static String load() {
        double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
        return load < 0 ? "unknown" : String.format(Locale.ROOT, "%.1f", load);
    }

    /** The API server and its etcd. */
    static String apiServer(Lab.Needs needs, Lab lab) {
        boolean ofKubernetes = needs == Lab.Needs.NATIVE_API_SERVER;
        String directory = System.getenv(ofKubernetes ? "CLE_NATIVE_ASSETS" : "KUBEBUILDER_ASSETS");
        return (ofKubernetes ? "Native format: " : "") + "kube-apiserver " + lab.version()
                + etcd(Path.of(String.valueOf(directory), "etcd"))
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
            // Not knowing it is no reason not to measure.
            return Optional.empty();
        }
    }
}
