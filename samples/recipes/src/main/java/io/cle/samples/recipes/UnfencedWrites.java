package io.cle.samples.recipes;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.cle.Term;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;

/**
 * For tests of an application with {@code cle-fencing-jdbc}: finds the writes that led work makes on threads without its term, which aren't
 * fenced. As a bean it listens to the transaction manager that Spring Boot creates.
 */
public final class UnfencedWrites implements TransactionExecutionListener {

    private final List<String> found = new CopyOnWriteArrayList<>();

    @Override
    public void beforeCommit(TransactionExecution transaction) {
        if (transaction.isNewTransaction()
                && !transaction.isReadOnly()
                && Term.current().isEmpty()) {
            found.add(transaction.getTransactionName() + " on thread "
                    + Thread.currentThread().getName());
        }
    }

    /** Fails if a transaction was committed on a thread without a term. */
    public void assertNone() {
        if (!found.isEmpty()) {
            throw new AssertionError("transactions without a term, which are not fenced: " + found);
        }
    }
}
