package io.cle.fencing.jdbc;

import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

import javax.sql.DataSource;

import io.cle.Term;
import io.cle.model.ObjectKey;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.BadSqlGrammarException;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Keeps a former leader from committing transactions in one database. Listens to a transaction manager of that
 * database, and fences the transactions that begin on threads of led work, which have a {@link Term#current()}:
 *
 * <ol>
 *   <li>Before a term's first transaction, a transaction of its own raises the token of the term's lease in table {@code leader_fence} to the
 *       term's fencing token, unless it is larger.
 *   <li>The last statement before each commit of a read-write transaction reads the token and locks its row until the commit. If the token
 *       is another one, {@link StaleTermException} rolls the transaction back.
 * </ol>
 *
 * <p>A former leader's commit either precedes the later term's raise, which waits for the lock, or fails. So it precedes everything that the
 * later term reads or writes in its transactions ({@code docs/fencing.md}).
 *
 * <p>With Spring Boot it is added to each transaction manager that has a {@link DataSource}. Thread-safe.
 */
public final class LeaderFence implements TransactionExecutionListener {

    private static final Logger log = LoggerFactory.getLogger(LeaderFence.class);

    private static final String RAISE = "UPDATE leader_fence SET token = ? WHERE lease = ? AND token < ?";
    private static final String INSERT = "INSERT INTO leader_fence (lease, token) VALUES (?, ?)";
    private static final String READ = "SELECT token FROM leader_fence WHERE lease = ?";

    private final DataSource dataSource;
    private final boolean required;
    private final JdbcTemplate jdbc;
    private final TransactionTemplate own;
    private final Map<ObjectKey, Fence> fences = new ConcurrentHashMap<>();
    /** {@link #READ} with the clause that locks the row in this database; set by the first check. */
    private volatile @Nullable String check;

    /**
     * The fence of a lease as this process has last raised it.
     *
     * @param token the fencing token of the term that raised it
     * @param exists false if the database had no table {@code leader_fence}
     */
    private record Fence(long token, boolean exists) {}

    /**
     * Creates a fence.
     *
     * @param dataSource the data source to which the transaction manager binds its connections
     * @param required whether transactions of led work fail if the table is missing; otherwise they run unfenced, and a warning is logged
     */
    public LeaderFence(DataSource dataSource, boolean required) {
        this.dataSource = dataSource;
        this.required = required;
        this.jdbc = new JdbcTemplate(dataSource);
        // A manager without listeners. Read committed, so that its SELECT sees what its UPDATE has waited for.
        DataSourceTransactionManager manager = new DataSourceTransactionManager(dataSource);
        manager.setTransactionSynchronization(DataSourceTransactionManager.SYNCHRONIZATION_NEVER);
        this.own = new TransactionTemplate(manager);
        own.setIsolationLevel(TransactionTemplate.ISOLATION_READ_COMMITTED);
    }

    /** Raises the token if this is the first transaction of the term. Nothing is open yet, so an exception leaves nothing open. */
    @Override
    public void beforeBegin(TransactionExecution transaction) {
        Term.current()
                .filter(term -> {
                    Fence fence = fences.get(term.lease());
                    return fence == null || fence.token() != term.fencingToken();
                })
                .ifPresent(term -> fences.put(term.lease(), new Fence(term.fencingToken(), raised(term))));
    }

    /** Raises the token. Returns false if there is no table. */
    private boolean raised(Term term) {
        try {
            try {
                own.executeWithoutResult(status -> raise(term.lease(), term.fencingToken()));
            } catch (DuplicateKeyException e) {
                // Another process, or another thread of this one, has just inserted the row.
                own.executeWithoutResult(status -> raise(term.lease(), term.fencingToken()));
            }
            return true;
        } catch (BadSqlGrammarException e) {
            if (!isMissingTable(e)) {
                throw e;
            }
            String create =
                    "the database has no table leader_fence; create it with io/cle/fencing/jdbc/schema-<database>.sql"
                            + " in the jar of cle-fencing-jdbc";
            if (required) {
                throw new IllegalStateException(
                        "Lease " + term.lease()
                                + ": a transaction of led work is refused (cle.fencing.jdbc.required=true): " + create,
                        e);
            }
            log.warn("Lease {}: transactions of led work are not fenced: {}", term.lease(), create);
            return false;
        }
    }

    private void raise(ObjectKey lease, long token) {
        if (jdbc.update(RAISE, token, lease.toString(), token) == 1) {
            return;
        }
        Long found = token(READ, lease);
        if (found == null) {
            jdbc.update(INSERT, lease.toString(), token);
        } else if (found != token) {
            throw new StaleTermException(lease, token, found);
        }
    }

    /**
     * Checks the token. Called after all synchronizations, right before the commit. Savepoints have no commit, hence no check.
     *
     * @throws StaleTermException if a later term has raised it; Spring then rolls back
     */
    @Override
    public void beforeCommit(TransactionExecution transaction) {
        Optional<Term> term = Term.current();
        if (term.isPresent() && transaction.isNewTransaction() && !transaction.isReadOnly()) {
            check(term.get(), transaction);
        }
    }

    private void check(Term term, TransactionExecution transaction) {
        Fence fence = fences.get(term.lease());
        if (fence != null && fence.token() == term.fencingToken() && !fence.exists()) {
            return;
        }
        try {
            if (transaction instanceof TransactionStatus status) {
                // Otherwise JPA would flush between the check and the commit, and a successor would wait for that long.
                status.flush();
            }
            if (!TransactionSynchronizationManager.hasResource(dataSource)) {
                throw new IllegalStateException("Lease " + term.lease() + ": can't check a transaction, because its"
                        + " transaction manager doesn't expose its JDBC connection (JpaTransactionManager needs a JpaDialect"
                        + " that does, such as HibernateJpaDialect)");
            }
            Long found = token(check(), term.lease());
            if (found == null || found != term.fencingToken()) {
                fences.remove(term.lease());
                throw new StaleTermException(term.lease(), term.fencingToken(), found);
            }
        } catch (TransactionException e) {
            // For example after a timeout. Spring wouldn't roll back (see StaleTermException).
            throw new DataAccessResourceFailureException(
                    "Lease " + term.lease() + ": can't check a transaction, so it is rolled back", e);
        }
    }

    private String check() {
        String statement = check;
        if (statement == null) {
            String database = jdbc.execute((ConnectionCallback<String>)
                    connection -> connection.getMetaData().getDatabaseProductName());
            check = statement = READ
                    + switch (String.valueOf(database)) {
                        case "PostgreSQL" -> " FOR SHARE";
                        case "MySQL", "MariaDB" -> " LOCK IN SHARE MODE";
                        // Blocks the later term's raise as well, but the commits of one leader wait for each other.
                        default -> " FOR UPDATE";
                    };
        }
        return statement;
    }

    private @Nullable Long token(String statement, ObjectKey lease) {
        List<Long> tokens = jdbc.queryForList(statement, Long.class, lease.toString());
        return tokens.isEmpty() ? null : tokens.get(0);
    }

    /** Checks the SQLState: 42P01 in PostgreSQL, 42S02 in others, and also 42S03 and 42S04 in H2. A missing permission has another one. */
    private static boolean isMissingTable(BadSqlGrammarException e) {
        String state = e.getCause() instanceof SQLException cause ? String.valueOf(cause.getSQLState()) : "";
        return state.equals("42P01") || state.startsWith("42S0");
    }
}
