package io.cle.fencing.jdbc;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;

import io.cle.fencing.jdbc.WriteOrder.Event;
import io.cle.fencing.jdbc.WriteOrder.Read;
import io.cle.fencing.jdbc.WriteOrder.Visible;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.TransientDataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * A history of leaders that pause and hand over, generated from a seed. The worker threads run one step at a time, in
 * the order of the history. A worker's steps are: begin a transaction and read, write, check the fence, commit. Between
 * its steps a worker is paused while others run, including those of later terms. A statement that would wait for a lock
 * fails soon, and its transaction is retried.
 */
final class History {

    private static final int TERMS = 3;
    private static final int TRANSACTIONS = 2;
    private static final int MOST_STEPS = 1000;

    private final Random random;
    private final long lastTermBefore;
    private final JdbcTemplate jdbc;
    private final long lastIdBefore;
    private final Set<Long> seen = new HashSet<>();
    private final List<Event> events = new ArrayList<>();
    /** Whether the last step may have made rows visible. */
    private boolean committed;

    private int refused;
    private Throwable failure;
    private int committedByTheLastTerm;

    /**
     * Creates a history.
     *
     * @param lastTermBefore smaller than all terms of this history
     * @param jdbc for the observer, which uses no transaction
     */
    History(long seed, long lastTermBefore, JdbcTemplate jdbc) {
        this.random = new Random(seed);
        this.lastTermBefore = lastTermBefore;
        this.jdbc = jdbc;
        Long last = jdbc.queryForObject("SELECT coalesce(max(id), 0) FROM written", Long.class);
        this.lastIdBefore = last == null ? 0 : last;
    }

    /** A thread of led work, and the gate at which it pauses. */
    private final class Worker implements Runnable, TransactionExecutionListener {

        private final Leader leader;
        private final Semaphore turn = new Semaphore(0);
        private final Semaphore paused = new Semaphore(0);
        private volatile boolean ended;

        Worker(Leader leader) {
            this.leader = leader;
            leader.manager().addListener(this);
        }

        /** Runs this thread's next step and waits for it. Returns false after the last step. */
        boolean step() {
            turn.release();
            acquire(paused);
            return !ended;
        }

        private void pause() {
            paused.release();
            acquire(turn);
        }

        @Override
        public void run() {
            acquire(turn);
            try {
                for (int done = 0; done < TRANSACTIONS; ) {
                    try {
                        leader.leads(() -> new TransactionTemplate(leader.manager()).executeWithoutResult(status -> {
                            leader.jdbc()
                                    .queryForObject(
                                            "SELECT count(*) FROM written WHERE id > ?", Long.class, lastIdBefore);
                            events.add(new Read(leader.token()));
                            pause();
                            leader.insert();
                            pause();
                        }));
                        done++;
                        if (leader.token() == lastTermBefore + TERMS) {
                            committedByTheLastTerm++;
                        }
                    } catch (DataAccessException e) {
                        if (!wouldHaveWaited(e)) {
                            throw e;
                        }
                    }
                    pause();
                }
            } catch (StaleTermException e) {
                refused++;
            } catch (RuntimeException | Error e) {
                failure = e;
            } finally {
                ended = true;
                paused.release();
            }
        }

        /** Pauses between the check and the commit, because this listener was added last. */
        @Override
        public void beforeCommit(TransactionExecution transaction) {
            pause();
            committed = true;
        }
    }

    /** Spring has no exception for PostgreSQL's 55P03 and MariaDB's 1205. */
    private static boolean wouldHaveWaited(DataAccessException e) {
        return e instanceof TransientDataAccessException
                || (e.getCause() instanceof SQLException cause
                        && ("55P03".equals(cause.getSQLState()) || cause.getErrorCode() == 1205));
    }

    private static void acquire(Semaphore semaphore) {
        try {
            if (!semaphore.tryAcquire(1, TimeUnit.MINUTES)) {
                throw new AssertionError("no step for a minute");
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /**
     * Runs the history.
     *
     * @param leaders creates a leader from a token and a thread's number; each thread of a term has its own, and they
     *     may share a fence
     */
    void run(ExecutorService threads, BiFunction<Long, Integer, Leader> leaders) {
        List<Worker> working = new ArrayList<>();
        long term = lastTermBefore;
        for (int steps = 0; term < lastTermBefore + TERMS || !working.isEmpty(); steps++) {
            if (steps == MOST_STEPS) {
                throw new AssertionError("not finished after " + steps + " steps: " + events);
            }
            if (term < lastTermBefore + TERMS && (working.isEmpty() || random.nextInt(6) == 0)) {
                term++;
                for (int thread = 0; thread <= random.nextInt(2); thread++) {
                    Worker worker = new Worker(leaders.apply(term, thread));
                    threads.execute(worker);
                    working.add(worker);
                }
            }
            Worker next = working.get(random.nextInt(working.size()));
            if (!next.step()) {
                working.remove(next);
            }
            if (committed) {
                committed = false;
                observe();
            }
            if (failure != null) {
                throw new AssertionError("led work failed after " + events, failure);
            }
        }
    }

    /** Records the rows that have become visible to other transactions. */
    private void observe() {
        jdbc.query(
                "SELECT id, term FROM written WHERE id > ? ORDER BY id",
                row -> {
                    if (seen.add(row.getLong("id"))) {
                        events.add(new Visible(row.getLong("term")));
                    }
                },
                lastIdBefore);
    }

    List<String> violations() {
        return WriteOrder.violations(events);
    }

    int refused() {
        return refused;
    }

    /**
     * Returns whether the last leader, which has no successor, has committed all of at least one thread's transactions.
     */
    boolean lastTermHasCommitted() {
        return committedByTheLastTerm >= TRANSACTIONS && committedByTheLastTerm % TRANSACTIONS == 0;
    }
}
