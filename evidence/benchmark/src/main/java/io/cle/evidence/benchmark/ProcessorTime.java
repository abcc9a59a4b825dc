package io.cle.evidence.benchmark;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The processor time that each process of a benchmark has used so far: on two cores, the busiest process limits the others.
 *
 * @param used by the name of the program; the coordinator's is {@code java}
 */
record ProcessorTime(Map<String, Duration> used) {

    /** Returns the times of this process and of its live children, started directly or through a shell. */
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

    /** Formats the seconds used since {@code before}. */
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
