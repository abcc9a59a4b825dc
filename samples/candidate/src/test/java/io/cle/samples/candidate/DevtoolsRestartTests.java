package io.cle.samples.candidate;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

import io.cle.spring.test.EmbeddedCluster;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A restart by Spring Boot's devtools: the context is closed, and restarted in another class loader of the same JVM.
 * The lease lasts for an hour, so that the application leads again only because the former context has released it.
 */
class DevtoolsRestartTests {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @RegisterExtension
    static final EmbeddedCluster CLUSTER = new EmbeddedCluster();

    @TempDir
    private Path folder;

    @Test
    void releasesTheLeaseAndAcquiresItAnewWithoutAThreadOfTheFormerContext() throws Exception {
        Path output = folder.resolve("output");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        RestartedByDevtools.class.getName(),
                        "--cle.resource-lock=leases",
                        "--cle.lease-duration=3600s",
                        "--cle.namespace=default",
                        "--cle.kubernetes.base-url=" + CLUSTER.url())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            Awaitility.await()
                    .atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(read(output))
                            .contains("leads again, by the same class loader: false, threads of the former one: []"));
        } finally {
            process.destroy();
            assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        }
    }

    private static String read(Path file) throws IOException {
        return Files.readString(file);
    }
}
