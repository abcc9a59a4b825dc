package io.cle.samples.strategy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The coordinator's executable jar as users run it, with an additional class path. */
final class CoordinatorProcess implements AutoCloseable {

    /** The jar, which an earlier module builds. */
    static final Path JAR = Path.of("..", "..", "cle-coordinator-app", "target", "cle-coordinator-app.jar")
            .toAbsolutePath()
            .normalize();

    private final Process process;
    private final Path log;

    private CoordinatorProcess(Process process, Path log) {
        this.process = process;
        this.log = log;
    }

    /**
     * Starts the coordinator.
     *
     * @param path a jar, or a directory with jars or classes
     */
    static CoordinatorProcess start(Path path, String apiServer, Path log) throws IOException {
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Dloader.path=" + path,
                "-jar",
                JAR.toString(),
                "--server.port=0",
                "--server.address=127.0.0.1",
                "--cle.kubernetes.base-url=" + apiServer);
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        return new CoordinatorProcess(process, log);
    }

    /** Returns its log so far. */
    String log() throws IOException {
        return Files.readString(log);
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(20, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            process.destroyForcibly();
        }
    }
}
