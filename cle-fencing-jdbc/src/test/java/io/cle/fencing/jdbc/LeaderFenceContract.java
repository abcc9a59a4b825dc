package io.cle.fencing.jdbc;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** The behaviour of a fence in any database. */
abstract class LeaderFenceContract {

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    protected Database database;

    protected abstract Database open();

    @BeforeEach
    void openDatabase() {
        database = open();
    }

    @AfterEach
    void closeDatabase() {
        database.close();
    }

    private Leader leader(long token) {
        return Leader.of(token, database.dataSource());
    }

    private List<Long> written() {
        return database.jdbc().queryForList("SELECT term FROM written ORDER BY id", Long.class);
    }

    private List<Long> tokens() {
        return database.jdbc().queryForList("SELECT token FROM leader_fence WHERE lease = 'shop/orders'", Long.class);
    }

    private static TransactionTemplate transaction(Leader leader, int propagation) {
        TransactionTemplate template = new TransactionTemplate(leader.manager());
        template.setPropagationBehavior(propagation);
        return template;
    }

    /** Pauses a leader's transactions between the check and the commit. */
    private record Pause(CountDownLatch reached, CountDownLatch end) implements TransactionExecutionListener {

        static Pause of(Leader leader) {
            Pause pause = new Pause(new CountDownLatch(1), new CountDownLatch(1));
            leader.manager().addListener(pause);
            return pause;
        }

        @Override
        public void beforeCommit(TransactionExecution transaction) {
            reached.countDown();
            await(end);
        }

        static void await(CountDownLatch latch) {
            try {
                assertThat(latch.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }

    @Test
    void transactionThatALaterTermHasOvertaken_isRolledBack() {
        Leader former = leader(1);
        Leader later = leader(2);

        assertThatThrownBy(() -> former.writes(later::writesMeanwhile))
                .isInstanceOf(StaleTermException.class)
                .hasMessageContainingAll("Lease shop/orders", "fencing token 1", "has token 2");
        assertThat(written()).containsExactly(2L);
    }

    @Test
    void formerLeaderThatBeginsATransaction_isRefused() {
        Leader former = leader(1);
        former.writes();
        leader(2).writes();

        assertThatThrownBy(former::writes).isInstanceOf(StaleTermException.class);
        assertThat(written()).containsExactly(1L, 2L);
    }

    @Test
    void formerLeaderThatHasNeverWritten_isRefused() {
        leader(2).writes();

        assertThatThrownBy(() -> leader(1).writes()).isInstanceOf(StaleTermException.class);
        assertThat(TransactionSynchronizationManager.getResourceMap()).isEmpty();
    }

    @Test
    void connectionOfARefusedTransaction_isUsableAgain() {
        try (HikariDataSource ofOneConnection = database.pool()) {
            ofOneConnection.setMaximumPoolSize(1);
            ofOneConnection.setConnectionTimeout(1000);
            Leader former = Leader.of(1, ofOneConnection);
            Leader later = leader(2);
            assertThatThrownBy(() -> former.writes(later::writesMeanwhile)).isInstanceOf(StaleTermException.class);

            new Leader(3, former.manager()).writes();
        }
        assertThat(written()).containsExactly(2L, 3L);
        assertThat(TransactionSynchronizationManager.getResourceMap()).isEmpty();
    }

    @Test
    void laterTermsFirstTransaction_waitsForACommitThatWasChecked_andSeesIt() {
        Leader former = leader(1);
        Pause pause = Pause.of(former);
        CompletableFuture<Void> commit = CompletableFuture.runAsync(former::writes);
        Pause.await(pause.reached());
        Leader later = leader(2);
        CompletableFuture<List<Long>> read = CompletableFuture.supplyAsync(
                () -> later.leads(() -> new TransactionTemplate(later.manager()).execute(status -> written())));
        Awaitility.await().atMost(PATIENCE).until(() -> database.sessionsThatWait() == 1);
        assertThat(read).isNotDone();

        pause.end().countDown();

        assertThat(read).succeedsWithin(PATIENCE).isEqualTo(List.of(1L));
        assertThat(commit).succeedsWithin(PATIENCE);
    }

    @Test
    void leaderThatIsPausedBeforeItsCheck_blocksNoTerm() {
        Leader former = leader(1);
        former.leads(() -> assertThatThrownBy(
                        () -> new TransactionTemplate(former.manager()).executeWithoutResult(status -> {
                            former.insert();
                            leader(2).writesMeanwhile();
                        }))
                .isInstanceOf(StaleTermException.class));

        assertThat(written()).containsExactly(2L);
    }

    @Test
    void transactionsOfOneLeader_areOpenAtTheSameTime() {
        Leader leader = leader(1);

        leader.writes(
                () -> assertThat(CompletableFuture.runAsync(leader::writes)).succeedsWithin(PATIENCE));

        assertThat(written()).hasSize(2);
    }

    @Test
    void requiresNew_doesNotWaitForItself() {
        Leader leader = leader(1);

        leader.writes(() -> transaction(leader, TransactionDefinition.PROPAGATION_REQUIRES_NEW)
                .executeWithoutResult(status -> leader.insert()));

        assertThat(written()).hasSize(2);
    }

    @Test
    void requiresNewBeforeTheCommitOfItsOuterTransaction_doesNotWaitForIt() {
        Leader leader = leader(1);

        leader.writes(() -> TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
            @Override
            public void beforeCompletion() {
                transaction(leader, TransactionDefinition.PROPAGATION_REQUIRES_NEW)
                        .executeWithoutResult(status -> leader.insert());
            }
        }));

        assertThat(written()).hasSize(2);
    }

    @Test
    void requiresNewOfAnOvertakenTerm_isRefusedAndLeavesTheOuterTransactionToItsOwnCheck() {
        Leader former = leader(1);
        Leader later = leader(2);

        assertThatThrownBy(() -> former.writes(() -> {
                    later.writesMeanwhile();
                    assertThatThrownBy(() -> transaction(former, TransactionDefinition.PROPAGATION_REQUIRES_NEW)
                                    .executeWithoutResult(status -> former.insert()))
                            .isInstanceOf(StaleTermException.class);
                }))
                .isInstanceOf(StaleTermException.class);
        assertThat(written()).containsExactly(2L);
    }

    @Test
    void savepoint_isNotChecked_butItsTransactionIs() {
        Leader former = leader(1);
        Leader later = leader(2);

        assertThatThrownBy(() -> former.writes(() -> {
                    later.writesMeanwhile();
                    assertThatCode(() -> transaction(former, TransactionDefinition.PROPAGATION_NESTED)
                                    .executeWithoutResult(status -> former.insert()))
                            .doesNotThrowAnyException();
                }))
                .isInstanceOf(StaleTermException.class);
        assertThat(written()).containsExactly(2L);
    }

    @Test
    void readOnlyTransaction_raisesTheTokenAndIsNotChecked() {
        Leader former = leader(1);
        Leader later = leader(2);
        TransactionTemplate readOnly = new TransactionTemplate(former.manager());
        readOnly.setReadOnly(true);

        former.leads(() -> readOnly.executeWithoutResult(status -> {
            assertThat(tokens()).containsExactly(1L);
            later.writesMeanwhile();
        }));

        assertThat(tokens()).containsExactly(2L);
    }

    @Test
    void transactionWithoutATerm_isLeftAlone() {
        Leader none = leader(1);
        new TransactionTemplate(none.manager()).executeWithoutResult(status -> none.insert());

        assertThat(written()).containsExactly(1L);
        assertThat(tokens()).isEmpty();
    }

    @Test
    void check_isTheLastStatementBeforeTheCommit() {
        List<String> statements = new ArrayList<>();
        Leader leader = Leader.of(1, database.with(statement -> {
            statements.add(statement);
            return statement;
        }));

        leader.writes(() -> TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
            @Override
            public void beforeCommit(boolean readOnly) {
                leader.insert();
            }

            @Override
            public void beforeCompletion() {
                leader.insert();
            }
        }));

        String lock = Map.of("h2", "FOR UPDATE", "postgresql", "FOR SHARE", "mariadb", "LOCK IN SHARE MODE")
                .get(database.platform());
        assertThat(statements)
                .containsExactly(
                        "UPDATE leader_fence SET token = ? WHERE lease = ? AND token < ?",
                        "SELECT token FROM leader_fence WHERE lease = ?",
                        "INSERT INTO leader_fence (lease, token) VALUES (?, ?)",
                        "COMMIT",
                        "INSERT INTO written (term) VALUES (?)",
                        "INSERT INTO written (term) VALUES (?)",
                        "INSERT INTO written (term) VALUES (?)",
                        "SELECT token FROM leader_fence WHERE lease = ? " + lock,
                        "COMMIT");
    }

    @Test
    void secondTransactionOfATerm_costsOneStatementMore() {
        List<String> statements = new ArrayList<>();
        Leader leader = Leader.of(1, database.with(statement -> {
            statements.add(statement);
            return statement;
        }));
        leader.writes();
        statements.clear();

        leader.writes();

        assertThat(statements).hasSize(3);
    }

    /** Spring commits if an exception of this kind is thrown before the commit. */
    @Test
    void transactionWhoseTimeoutPassesBeforeTheCheck_isRolledBack() {
        Leader leader = leader(1);

        assertThatThrownBy(() -> leader.writes(
                        () -> ((ConnectionHolder) TransactionSynchronizationManager.getResource(database.dataSource()))
                                .setTimeoutInMillis(-1)))
                .hasMessageContaining("Lease shop/orders: can't check a transaction");
        assertThat(written()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            ints = {
                TransactionDefinition.ISOLATION_READ_COMMITTED,
                TransactionDefinition.ISOLATION_REPEATABLE_READ,
                TransactionDefinition.ISOLATION_SERIALIZABLE
            })
    void anyIsolation_rollsBackTheFormerLeaderAndLetsTheLeaderCommit(int isolation) {
        Leader former = leader(1);
        Leader later = leader(2);
        TransactionTemplate ofFormer = new TransactionTemplate(former.manager());
        ofFormer.setIsolationLevel(isolation);
        TransactionTemplate ofLater = new TransactionTemplate(later.manager());
        ofLater.setIsolationLevel(isolation);

        former.leads(() -> ofFormer.executeWithoutResult(status -> former.insert()));
        assertThatThrownBy(() -> former.leads(() -> ofFormer.executeWithoutResult(status -> {
                    former.insert();
                    CompletableFuture.runAsync(
                                    () -> later.leads(() -> ofLater.executeWithoutResult(unused -> later.insert())))
                            .join();
                })))
                .isInstanceOf(RuntimeException.class);

        assertThat(written()).containsExactly(1L, 2L);
    }

    @Test
    void missingTable_leavesTransactionsUnfenced() {
        database.jdbc().execute("DROP TABLE leader_fence");
        Leader former = Leader.unfenced(1, database.dataSource());
        former.manager().addListener(new LeaderFence(database.dataSource(), false));

        former.writes();
        former.writes();

        assertThat(written()).hasSize(2);
    }

    @Test
    void tableThatIsCreatedLater_fencesTheNextTerm() {
        database.jdbc().execute("DROP TABLE leader_fence");
        LeaderFence fence = new LeaderFence(database.dataSource(), false);
        Leader first = Leader.unfenced(1, database.dataSource());
        first.manager().addListener(fence);
        first.writes();
        database.createFence();

        new Leader(2, first.manager()).writes();

        assertThat(tokens()).containsExactly(2L);
    }

    @Test
    void missingTable_failsATransactionIfFencingIsRequired() {
        database.jdbc().execute("DROP TABLE leader_fence");
        Leader leader = leader(1);

        assertThatThrownBy(leader::writes)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContainingAll("no table leader_fence", "cle.fencing.jdbc.required=true");
        assertThat(written()).isEmpty();
        assertThat(TransactionSynchronizationManager.getResourceMap()).isEmpty();
    }

    @Test
    void smallerTokensThanBefore_areRefusedUntilTheLineOfTheMessageIsRun() {
        leader(1_764_000_000_000_000L).writes();
        Leader inCluster = leader(4711);
        Throwable refused = assertThatThrownBy(inCluster::writes)
                .isInstanceOf(StaleTermException.class)
                .hasMessageContaining("cle.mode=standalone")
                .actual();

        database.jdbc().execute(refused.getMessage().replaceFirst(".*(?=UPDATE)", ""));
        inCluster.writes();

        assertThat(tokens()).containsExactly(4711L);
    }

    @Test
    void tokenThatIsResetWhileATermRuns_refusesOneTransaction() {
        Leader leader = leader(5);
        leader.writes();
        database.jdbc().update("UPDATE leader_fence SET token = 0");

        assertThatThrownBy(leader::writes)
                .isInstanceOf(StaleTermException.class)
                .hasMessageContaining("only token 0");
        leader.writes();

        assertThat(tokens()).containsExactly(5L);
    }

    @Test
    void rowThatIsDeletedWhileATermRuns_refusesOneTransaction() {
        Leader leader = leader(5);
        leader.writes();
        database.jdbc().update("DELETE FROM leader_fence");

        assertThatThrownBy(leader::writes).hasMessageContaining("no row of this lease");
        leader.writes();

        assertThat(tokens()).containsExactly(5L);
    }

    /**
     * Hikari's setting for Hibernate: the fence must commit its own transaction, because the pool would roll it back.
     */
    @Test
    void poolWithoutAutoCommit_isFencedToo() {
        try (HikariDataSource pool = database.pool()) {
            pool.setAutoCommit(false);
            Leader former = Leader.of(1, pool);
            Leader later = Leader.of(2, pool);

            assertThatThrownBy(() -> former.writes(later::writesMeanwhile)).isInstanceOf(StaleTermException.class);
        }
        assertThat(written()).containsExactly(2L);
    }

    /** Returns a data source that inserts the lease's row, as another process would, right before the fence does. */
    private DataSource thatIsForestalled(long token) {
        AtomicBoolean inserted = new AtomicBoolean();
        return database.with(statement -> {
            if (statement.startsWith("INSERT INTO leader_fence") && inserted.compareAndSet(false, true)) {
                CompletableFuture.runAsync(() -> database.jdbc()
                                .update("INSERT INTO leader_fence (lease, token) VALUES ('shop/orders', ?)", token))
                        .join();
            }
            return statement;
        });
    }

    @Test
    void rowThatAFormerTermInsertsMeanwhile_isRaised() {
        Leader.of(2, thatIsForestalled(1)).writes();

        assertThat(tokens()).containsExactly(2L);
    }

    @Test
    void rowThatALaterTermInsertsMeanwhile_refusesTheFormerOne() {
        Leader former = Leader.of(2, thatIsForestalled(3));

        assertThatThrownBy(former::writes).isInstanceOf(StaleTermException.class);
        assertThat(written()).isEmpty();
    }

    @Test
    void firstTermsOfALease_mayBeginAtTheSameTime() {
        List<CompletableFuture<Void>> first = new ArrayList<>();
        Leader leader = leader(1);
        for (int thread = 0; thread < 8; thread++) {
            first.add(CompletableFuture.runAsync(leader::writes));
        }

        assertThat(first).allSatisfy(done -> assertThat(done).succeedsWithin(PATIENCE));
        assertThat(written()).hasSize(8);
    }
}
