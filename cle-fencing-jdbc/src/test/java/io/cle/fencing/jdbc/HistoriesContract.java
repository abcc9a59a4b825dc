package io.cle.fencing.jdbc;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Checks histories of leaders that pause at any step while a successor leads. */
abstract class HistoriesContract {

    private static final int HISTORIES_OF_A_BROKEN_FENCE = 200;
    private static final int HISTORIES = Boolean.getBoolean("cle.thorough") ? 1_000 : HISTORIES_OF_A_BROKEN_FENCE;
    private static final int TOKENS_OF_A_HISTORY = 10;

    private Database database;
    private HikariDataSource impatient;
    private ExecutorService threads;

    protected abstract Database open();

    /** Returns a pool whose statements fail instead of waiting for a lock. */
    protected abstract HikariDataSource impatient(Database opened);

    @BeforeEach
    void openDatabase() {
        database = open();
        impatient = impatient(database);
        threads = Executors.newCachedThreadPool();
    }

    @AfterEach
    void closeDatabase() {
        threads.shutdownNow();
        impatient.close();
        database.close();
    }

    private interface Fencing {
        Leader leader(long token, DataSource dataSource);
    }

    private record Outcome(List<String> violations, int refused, int ofLivingLastTerm) {}

    private Outcome run(int histories, DataSource dataSource, Fencing fencing) {
        List<String> violations = new ArrayList<>();
        int refused = 0;
        int living = 0;
        for (int seed = 0; seed < histories; seed++) {
            History history = new History(seed, (long) seed * TOKENS_OF_A_HISTORY, database.jdbc());
            history.run(threads, (token, thread) -> fencing.leader(token, dataSource));
            for (String violation : history.violations()) {
                violations.add("seed " + seed + ": " + violation);
            }
            refused += history.refused();
            living += history.lastTermHasCommitted() ? 1 : 0;
        }
        return new Outcome(violations, refused, living);
    }

    @Test
    void noWriteOfAFormerTermFollowsALaterTerm() {
        Outcome outcome = run(HISTORIES, impatient, Leader::of);

        assertThat(outcome.violations()).isEmpty();
        assertThat(outcome.refused()).isGreaterThan(HISTORIES / 2);
        assertThat(outcome.ofLivingLastTerm()).isEqualTo(HISTORIES);
    }

    @Test
    void withoutTheFence_writesOfFormerTermsFollowLaterTerms() {
        Outcome outcome = run(HISTORIES_OF_A_BROKEN_FENCE, impatient, Leader::unfenced);

        assertThat(outcome.violations()).hasSizeGreaterThan(HISTORIES_OF_A_BROKEN_FENCE);
    }

    @Test
    void checkThatLocksNothing_isOvertakenBeforeTheCommit() {
        DataSource unlocked = new RewritingDataSource(
                impatient, statement -> statement.replaceFirst(" (FOR SHARE|FOR UPDATE|LOCK IN SHARE MODE)$", ""));

        Outcome outcome = run(HISTORIES_OF_A_BROKEN_FENCE, unlocked, Leader::of);

        assertThat(outcome.violations()).isNotEmpty();
    }
}
