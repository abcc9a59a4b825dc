package io.cle.samples.recipes;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.cle.Term;
import io.cle.model.ObjectKey;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

class FencedObjectTests {

    private HttpServer store;
    private final List<String> written = new ArrayList<>();
    private String token = "";

    @BeforeEach
    void start() throws IOException {
        store = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        store.createContext("/", this::answer);
        store.start();
    }

    @AfterEach
    void stop() {
        store.stop(0);
    }

    /** Serves one object, with S3's conditional requests. */
    private void answer(HttpExchange exchange) throws IOException {
        String etag = "\"" + written.size() + "\"";
        boolean exists = !written.isEmpty();
        if (exchange.getRequestMethod().equals("GET")) {
            if (exists) {
                exchange.getResponseHeaders().add("ETag", etag);
                exchange.getResponseHeaders().add("x-amz-meta-fencing-token", token);
            }
            byte[] body = exists ? written.get(written.size() - 1).getBytes(StandardCharsets.UTF_8) : new byte[0];
            exchange.sendResponseHeaders(exists ? 200 : 404, body.length == 0 ? -1 : body.length);
            exchange.getResponseBody().write(body);
        } else {
            String match = exchange.getRequestHeaders().getFirst("If-Match");
            boolean creates = "*".equals(exchange.getRequestHeaders().getFirst("If-None-Match"));
            if (match == null ? !creates || exists : !match.equals(etag)) {
                exchange.sendResponseHeaders(412, -1);
            } else {
                written.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
                token = exchange.getRequestHeaders().getFirst("x-amz-meta-fencing-token");
                exchange.getResponseHeaders().add("ETag", "\"" + written.size() + "\"");
                exchange.sendResponseHeaders(200, -1);
            }
        }
        exchange.close();
    }

    private FencedObject of(long fencingToken) throws IOException, InterruptedException {
        Term term = mock(Term.class);
        when(term.fencingToken()).thenReturn(fencingToken);
        when(term.lease()).thenReturn(new ObjectKey("shop", "orders"));
        URI object = URI.create("http://127.0.0.1:" + store.getAddress().getPort() + "/orders.json");
        return new FencedObject(object, HttpRequest.Builder::build, term);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void formerLeader_writesNothingAfterALaterTermHasTakenTheObjectOver() throws Exception {
        FencedObject former = of(5);
        former.write(bytes("one"));
        FencedObject later = of(8);

        assertThatIllegalStateException()
                .isThrownBy(() -> former.write(bytes("late")))
                .withMessageContaining("a later term has taken over");
        later.write(bytes("two"));

        assertThat(written).containsExactly("", "one", "one", "two");
    }

    @Test
    void formerLeader_takesNothingBack() throws Exception {
        of(8);

        assertThatIllegalStateException().isThrownBy(() -> of(5));
        assertThat(token).isEqualTo("8");
    }
}
