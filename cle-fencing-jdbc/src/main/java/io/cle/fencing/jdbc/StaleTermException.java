package io.cle.fencing.jdbc;

import io.cle.model.ObjectKey;
import org.jspecify.annotations.Nullable;

/**
 * Thrown if table {@code leader_fence} has another fencing token than the term of the transaction, whose writes are rolled back. Usually a
 * later term has begun.
 *
 * <p>It must never extend Spring's {@code TransactionException}: if one of these is thrown before a commit, Spring doesn't roll back, and a
 * {@code DataSourceTransactionManager} commits when it restores the connection.
 */
public final class StaleTermException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception.
     *
     * @param token the fencing token of the transaction's term
     * @param found the token in the table; {@code null} if the table has no row of the lease
     */
    StaleTermException(ObjectKey lease, long token, @Nullable Long found) {
        super("Lease " + lease + ": refused a transaction of the term with fencing token " + token + ", because "
                + reason(lease, token, found));
    }

    private static String reason(ObjectKey lease, long token, @Nullable Long found) {
        if (found == null || found < token) {
            return "table leader_fence has " + (found == null ? "no row of this lease" : "only token " + found)
                    + " (reset while the term runs, or another database than the one in which the transaction began?);"
                    + " the term's next transaction sets it";
        }
        return "table leader_fence has token " + found
                + ": a later term has begun. If none has, because etcd was restored"
                + " or " + found + " is a token of cle.mode=standalone, stop the former leader, and reset the token:"
                + " UPDATE leader_fence SET token = 0 WHERE lease = '" + lease + "'";
    }
}
