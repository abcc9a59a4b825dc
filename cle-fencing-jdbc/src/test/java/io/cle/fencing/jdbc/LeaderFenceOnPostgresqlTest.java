package io.cle.fencing.jdbc;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;

import com.zaxxer.hikari.HikariDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.springframework.jdbc.BadSqlGrammarException;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@EnabledIf("io.cle.fencing.jdbc.Postgresql#available")
class LeaderFenceOnPostgresqlTest extends LeaderFenceContract {

    @Override
    protected Database open() {
        return Database.postgresql();
    }

    @Test
    void commitsOfOneLeader_areCheckedAtTheSameTime() {
        Leader leader = Leader.of(1, database.dataSource());
        CyclicBarrier checked = new CyclicBarrier(2);
        leader.manager().addListener(new TransactionExecutionListener() {
            @Override
            public void beforeCommit(TransactionExecution transaction) {
                try {
                    checked.await(20, TimeUnit.SECONDS);
                } catch (Exception e) {
                    throw new AssertionError("the other commit waits for this one", e);
                }
            }
        });

        CompletableFuture<Void> other = CompletableFuture.runAsync(leader::writes);
        leader.writes();

        assertThat(other).succeedsWithin(Duration.ofSeconds(20));
    }

    @Test
    void timeoutOfIdleTransactions_endsALeaderThatIsPausedBetweenCheckAndCommit() {
        try (HikariDataSource pool = database.pool()) {
            pool.setConnectionInitSql("SET idle_in_transaction_session_timeout = '500ms'");
            Leader former = Leader.of(1, pool);
            Leader later = Leader.of(2, database.dataSource());
            former.manager().addListener(new TransactionExecutionListener() {
                @Override
                public void beforeCommit(TransactionExecution transaction) {
                    later.writesMeanwhile();
                }
            });

            assertThatThrownBy(former::writes).isInstanceOf(RuntimeException.class);
        }
        assertThat(database.jdbc().queryForList("SELECT term FROM written", Long.class))
                .containsExactly(2L);
    }

    @Test
    void missingRight_isNoMissingTable() {
        database.jdbc().execute("DROP ROLE IF EXISTS clerk");
        database.jdbc().execute("CREATE ROLE clerk");
        try (HikariDataSource pool = database.pool()) {
            pool.setConnectionInitSql("SET ROLE clerk");
            Leader leader = Leader.unfenced(1, pool);
            leader.manager().addListener(new LeaderFence(pool, false));

            assertThatThrownBy(leader::writes)
                    .isInstanceOf(BadSqlGrammarException.class)
                    .hasStackTraceContaining("permission denied for table leader_fence");
        }
    }
}
