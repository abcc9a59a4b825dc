package io.cle.samples.recipes;

import io.cle.CoordinatedLeaseLock;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.web.server.ResponseStatusException;

/** Answers a request with 503 and the identity of the leader, because another replica has to serve it. For MVC and WebFlux alike. */
public final class NotLeaderException extends ResponseStatusException {

    private static final long serialVersionUID = 1L;

    /** The header with the leader's identity; missing if no process leads. */
    public static final String LEADER = "X-Leader";

    private final String leader;

    /** Creates an exception for a request that needs leadership of a lease. */
    public NotLeaderException(CoordinatedLeaseLock lock) {
        super(
                HttpStatus.SERVICE_UNAVAILABLE,
                "this replica does not lead " + lock.name()
                        + lock.leader()
                                .map(holder -> "; the leader is " + holder)
                                .orElse("; there is no leader"));
        leader = lock.leader().orElse("");
        getBody().setProperty("leader", leader);
    }

    @Override
    public HttpHeaders getHeaders() {
        HttpHeaders headers = new HttpHeaders();
        headers.set(HttpHeaders.RETRY_AFTER, "1");
        if (!leader.isEmpty()) {
            headers.set(LEADER, leader);
        }
        return headers;
    }
}
