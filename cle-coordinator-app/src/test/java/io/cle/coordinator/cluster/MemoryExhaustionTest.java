package io.cle.coordinator.cluster;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.cle.coordinator.CoordinatorApplication;
import io.cle.runtime.internal.lock.LockThreads;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** In a process of its own with a small heap and without the flag that would end it ({@code safety.md#useful-replica}). */
class MemoryExhaustionTest {

    private static final long PATIENCE = 60;

    @ParameterizedTest
    @ValueSource(strings = {"event loop", "another"})
    void endsTheProcessWhicheverThreadMeetsIt(String thread) throws IOException, InterruptedException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Process process = new ProcessBuilder(
                        java,
                        "-Xmx24m",
                        "-XX:-ExitOnOutOfMemoryError",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Glutton.class.getName(),
                        thread)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            assertThat(process.waitFor(PATIENCE, TimeUnit.SECONDS)).as("ends").isTrue();
            assertThat(process.exitValue()).isEqualTo(MemoryExhaustion.EXIT_CODE);
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void isNotSeenInOtherFailures() {
        MemoryExhaustion.endProcessOn(new IllegalStateException(new NoClassDefFoundError("Missing")));
    }

    /** Eats all memory on a thread of the coordinator. */
    static final class Glutton {

        private static final int BITE = 1 << 20;

        private Glutton() {}

        /** The threads of {@link CoordinatorApplication}, without the application. */
        public static void main(String[] args) throws InterruptedException {
            MemoryExhaustion.watchThreads();
            LockThreads threads = LockThreads.create("coordinator", MemoryExhaustion::endProcessOn);
            if (args[0].equals("event loop")) {
                threads.loop().execute(Glutton::eat);
            } else {
                new Thread(Glutton::eat).start();
            }
            boolean ended = new CountDownLatch(1).await(PATIENCE, TimeUnit.SECONDS);
            System.exit(ended ? 0 : 1);
        }

        private static void eat() {
            List<byte[]> eaten = new ArrayList<>();
            for (int eatenSoFar = 0; eatenSoFar == eaten.size(); eatenSoFar++) {
                eaten.add(new byte[BITE]);
            }
        }
    }
}
