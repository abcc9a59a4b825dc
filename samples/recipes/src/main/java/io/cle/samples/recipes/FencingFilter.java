package io.cle.samples.recipes;

import java.io.IOException;
import java.time.Instant;

import io.cle.Term;
import io.cle.fencing.jdbc.StaleTermException;
import io.cle.model.ObjectKey;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * The receiver of {@link FencedRequests}: serves each request in the sender's term, so that {@code cle-fencing-jdbc}
 * fences the receiver's own transactions by the sender's token. A former leader's request is answered with 409, even if
 * the next term began while it was served. Comparing tokens in the filter alone would not refuse the latter. Let only
 * the senders set the header.
 */
public final class FencingFilter extends OncePerRequestFilter {

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        SentTerm term;
        try {
            term = SentTerm.parse(request.getHeader(FencedRequests.HEADER));
        } catch (IllegalArgumentException e) {
            response.sendError(
                    HttpServletResponse.SC_BAD_REQUEST,
                    "the header " + FencedRequests.HEADER + " must be '<namespace>/<lease> <token>': "
                            + e.getMessage());
            return;
        }
        Term outer = Term.enter(term);
        try {
            chain.doFilter(request, response);
        } catch (ServletException e) {
            if (!(e.getRootCause() instanceof StaleTermException stale)) {
                throw e;
            }
            response.sendError(HttpServletResponse.SC_CONFLICT, stale.getMessage());
        } finally {
            Term.enter(outer);
        }
    }

    /** The term of another process. */
    private record SentTerm(ObjectKey lease, long fencingToken) implements Term {

        static SentTerm parse(String header) {
            String[] parts = String.valueOf(header).split(" ", 2);
            return new SentTerm(ObjectKey.parse(parts[0]), Long.parseLong(parts[parts.length - 1]));
        }

        @Override
        public String identity() {
            return "the sender";
        }

        @Override
        public Instant acquireTime() {
            return Instant.EPOCH;
        }

        /** {@inheritDoc} Only the token decides. */
        @Override
        public boolean isValid() {
            return true;
        }
    }
}
