package io.cle.samples.recipes;

import io.cle.Term;
import org.springframework.http.client.ClientHttpRequestInterceptor;

/** The sender of fenced requests: {@code RestClient.builder().requestInterceptor(fencedRequests())}. {@link FencingFilter} receives them. */
public final class FencedRequests {

    /** The lease and the token, as in {@code shop/orders 4711}. */
    public static final String HEADER = "Fencing-Token";

    private FencedRequests() {}

    /** Adds the term of led work to its requests. */
    public static ClientHttpRequestInterceptor fencedRequests() {
        return (request, body, execution) -> {
            Term.current()
                    .ifPresent(term -> request.getHeaders().set(HEADER, term.lease() + " " + term.fencingToken()));
            return execution.execute(request, body);
        };
    }
}
