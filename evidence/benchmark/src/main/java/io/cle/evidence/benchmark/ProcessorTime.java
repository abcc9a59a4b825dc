package io.cle.evidence.benchmark;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * How much processor time each process of a benchmark has used so far: on two cores, whoever uses most of them bounds the rest.
 *
 * @param used by the name of the program; that of the coordinator is {@code java}
 */
record ProcessorTime(Map<String, Duration> used) {

    /** Of this process and of those that it has started, directly or through a shell, and that are alive. */
    static ProcessorTime now() {
        Map<String, Duration> used = new TreeMap<>();
        used.put("benchmark", timeOf(ProcessHandle.current()));
        ProcessHandle.current()
                .descendants()
                .forEach(child -> used.merge(nameOf(child), timeOf(child), Duration::plus));
        return new ProcessorTime(used);
    }

    private static Duration timeOf(ProcessHandle process) {
        return process.info().totalCpuDuration().orElse(Duration.ZERO);
    }

    private static String nameOf(ProcessHandle process) {
        return process.info()
                .command()
                .map(command -> String.valueOf(Path.of(command).getFileName()))
                .orElse("others");
    }

    /** What was used since, in seconds, for people. */
    String since(ProcessorTime before) {
        return used.entrySet().stream()
                .map(entry -> String.format(
                        "%s %.1f s",
                        entry.getKey(),
                        entry.getValue()
                                        .minus(before.used().getOrDefault(entry.getKey(), Duration.ZERO))
                                        .toMillis()
                                / 1000.0))
                .collect(Collectors.joining(", "));
    }
}
