package io.cle.samples.orders;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Predicate;

import io.cle.Shard;
import io.cle.Term;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;

/**
 * The store of orders, which all replicas share. Each write carries the fencing token, so that the store can refuse one
 * from an earlier term. Requests can't be interrupted, so work that is ending can still report to the store. Thread-safe.
 */
@Component
class OrderStore {

    private final String url;

    OrderStore(@Value("${orders.store}") String url) {
        this.url = url;
    }

    /** Returns the orders of some customers that have not been done yet. */
    List<Order> open(Predicate<String> customers) {
        return request("GET", "/orders", "")
                .body()
                .lines()
                .map(line -> line.split(" "))
                .filter(order -> customers.test(order[1]))
                .map(order -> new Order(Long.parseLong(order[0]), order[1]))
                .toList();
    }

    /** Begins the work on an order; returns false if the store refuses, because the order is done or a later term has begun. */
    boolean begin(Order order, Term term) {
        return write("/orders/begin", term, "order=" + order.id());
    }

    /** Ends the work on an order, which is done or given back; returns false if the store refuses, because a later term has begun. */
    boolean end(Order order, Term term, boolean done) {
        return write("/orders/end", term, "order=" + order.id() + "&done=" + done);
    }

    /** Reports the start of the work on a shard. */
    void termBegins(Shard shard, Term term) {
        write("/terms/begin", term, "shard=" + shard.index());
    }

    /** Reports the end of the work on a shard. */
    void termEnds(Shard shard, Term term) {
        write("/terms/end", term, "shard=" + shard.index());
    }

    private boolean write(String path, Term term, String more) {
        String query = "?replica=" + term.identity() + "&token=" + term.fencingToken() + "&" + more;
        return request("POST", path, query).code() == HttpURLConnection.HTTP_OK;
    }

    private record Answer(int code, String body) {}

    private Answer request(String method, String path, String query) {
        try {
            HttpURLConnection connection =
                    (HttpURLConnection) URI.create(url + path + query).toURL().openConnection();
            connection.setRequestMethod(method);
            int code = connection.getResponseCode();
            try (var body =
                    code == HttpURLConnection.HTTP_OK ? connection.getInputStream() : connection.getErrorStream()) {
                return new Answer(code, body == null ? "" : new String(body.readAllBytes(), StandardCharsets.UTF_8));
            }
        } catch (IOException e) {
            throw new UncheckedIOException("the store of orders doesn't answer", e);
        }
    }
}
