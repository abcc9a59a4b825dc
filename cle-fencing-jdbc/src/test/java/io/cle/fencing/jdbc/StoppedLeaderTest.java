package io.cle.fencing.jdbc;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.cle.Term;
import io.cle.fencing.jdbc.WriteOrder.Visible;
import io.cle.spring.onleader.OnLeader;
import io.cle.test.apiserver.EmbeddedApiServer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/** Two processes share a Lease. The leader is stopped in mid-transaction, and resumes after the other process has led and written. */
@EnabledIf("io.cle.fencing.jdbc.Postgresql#available")
@EnabledIfEnvironmentVariable(
        named = "CI",
        matches = "true",
        disabledReason = "starts processes; CI=true ./mvnw verify runs it")
class StoppedLeaderTest {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @TempDir
    private Path folder;

    private Database database;
    private EmbeddedApiServer server;

    @BeforeEach
    void open() {
        database = Database.postgresql();
        server = EmbeddedApiServer.start();
    }

    @AfterEach
    void close() {
        server.close();
        database.close();
    }

    @Test
    void leaderThatIsStoppedInMidTransaction_doesNotCommitAfterAnotherHasLed() throws Exception {
        assertThat(stopAndResume()).isEqualTo("StaleTermException");

        List<Long> terms = terms();
        assertThat(terms).hasSize(1);
        assertThat(database.jdbc().queryForList("SELECT token FROM leader_fence", Long.class))
                .isEqualTo(terms);
    }

    @Test
    void withoutTheTable_itCommits() throws Exception {
        database.jdbc().execute("DROP TABLE leader_fence");

        assertThat(stopAndResume()).isEqualTo("committed");

        List<Long> terms = terms();
        assertThat(WriteOrder.violations(terms.stream()
                        .map(term -> (WriteOrder.Event) new Visible(term))
                        .toList()))
                .hasSize(1);
    }

    /** Returns the terms of all rows in commit order. */
    private List<Long> terms() {
        return database.jdbc()
                .queryForList("SELECT term FROM written ORDER BY pg_xact_commit_timestamp(xmin)", Long.class);
    }

    /** Stops the first leader in a transaction, and returns how that transaction ended. */
    private String stopAndResume() throws Exception {
        try (Replica one = new Replica("one");
                Replica other = new Replica("other")) {
            Awaitility.await().atMost(PATIENCE).until(() -> one.says("in transaction") || other.says("in transaction"));
            Replica leader = one.says("in transaction") ? one : other;
            Replica successor = leader == one ? other : one;
            leader.signal("STOP");

            Awaitility.await().atMost(PATIENCE).until(() -> successor.says("in transaction"));
            successor.mayCommit();
            Awaitility.await().atMost(PATIENCE).until(() -> successor.says("ended: committed"));

            leader.signal("CONT");
            leader.mayCommit();
            Awaitility.await().atMost(PATIENCE).until(() -> leader.says("ended: "));
            return leader.log().replaceFirst("(?s).*?ended: (\\w+).*", "$1");
        }
    }

    private final class Replica implements AutoCloseable {

        private final Path log;
        private final Process process;

        Replica(String name) throws IOException {
            log = folder.resolve(name);
            process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-XX:TieredStopAtLevel=1",
                            "-XX:+UseSerialGC",
                            "-cp",
                            System.getProperty("java.class.path"),
                            Program.class.getName(),
                            "--spring.datasource.url=" + Postgresql.shared().url(),
                            "--spring.sql.init.mode=never",
                            "--cle.kubernetes.base-url=" + server.url(),
                            "--cle.resource-lock=leases",
                            "--cle.lease-name=orders",
                            "--cle.lease-duration=5s",
                            "--cle.renew-deadline=3s",
                            "--cle.retry-period=500ms")
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
        }

        String log() {
            try {
                return Files.readString(log);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        boolean says(String text) {
            assertThat(process.isAlive()).as(this::log).isTrue();
            return log().contains(text);
        }

        void mayCommit() throws IOException {
            process.getOutputStream().write('\n');
            process.getOutputStream().flush();
        }

        void signal(String name) throws Exception {
            Process kill = new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid())).start();
            assertThat(kill.waitFor(10, TimeUnit.SECONDS)).isTrue();
            assertThat(kill.exitValue()).isZero();
        }

        @Override
        public void close() {
            process.destroyForcibly();
        }
    }

    /** An application whose work ignores interruption in mid-transaction, as a JDBC driver does. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Program {

        private final JdbcTemplate jdbc;
        private final TransactionTemplate transactions;

        Program(JdbcTemplate jdbc, PlatformTransactionManager manager) {
            this.jdbc = jdbc;
            this.transactions = new TransactionTemplate(manager);
        }

        public static void main(String[] arguments) {
            SpringApplication.run(Program.class, arguments);
        }

        @OnLeader
        void work(Term term) {
            try {
                transactions.executeWithoutResult(status -> {
                    jdbc.update("INSERT INTO written (term) VALUES (?)", term.fencingToken());
                    System.out.println("in transaction");
                    awaitLine();
                });
                System.out.println("ended: committed");
            } catch (RuntimeException e) {
                System.out.println("ended: " + e.getClass().getSimpleName());
                throw e;
            }
        }

        private static void awaitLine() {
            try {
                System.in.read();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
