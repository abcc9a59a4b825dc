package io.cle.fencing.jdbc;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import javax.sql.DataSource;

import io.cle.Term;
import io.cle.model.ObjectKey;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** A process in one of its terms, with its own transaction manager. */
record Leader(long token, DataSourceTransactionManager manager) {

    static final ObjectKey ORDERS = TestTerm.ORDERS;

    static Leader of(long token, DataSource dataSource) {
        Leader leader = unfenced(token, dataSource);
        leader.manager.addListener(new LeaderFence(dataSource, true));
        return leader;
    }

    static Leader unfenced(long token, DataSource dataSource) {
        return new Leader(token, new DataSourceTransactionManager(dataSource));
    }

    /** Runs the work in this term. */
    <T> T leads(Supplier<T> work) {
        Term outer = Term.enter(new TestTerm(token));
        try {
            return work.get();
        } finally {
            Term.enter(outer);
        }
    }

    void leads(Runnable work) {
        leads(() -> {
            work.run();
            return "";
        });
    }

    /** Writes a row in a transaction of led work, and then runs {@code more} in the same transaction. */
    void writes(Runnable more) {
        leads(() -> new TransactionTemplate(manager).executeWithoutResult(status -> {
            insert();
            more.run();
        }));
    }

    void writes() {
        writes(() -> {});
    }

    /** Writes outside the calling thread's transaction, as another process does. */
    void writesMeanwhile() {
        CompletableFuture.runAsync(this::writes).orTimeout(20, TimeUnit.SECONDS).join();
    }

    void insert() {
        jdbc().update("INSERT INTO written (term) VALUES (?)", token);
    }

    JdbcTemplate jdbc() {
        return new JdbcTemplate(manager.getDataSource());
    }
}
