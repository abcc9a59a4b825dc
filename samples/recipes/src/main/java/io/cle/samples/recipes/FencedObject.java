package io.cle.samples.recipes;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.function.Function;

import io.cle.Term;

/**
 * S3: an object that each term takes over by a conditional write before it writes. A former leader's condition is then
 * out of date, and its write fails with 412. Not thread-safe; create one per term.
 */
public class FencedObject {

    private static final String TOKEN = "x-amz-meta-fencing-token";

    private final HttpClient http = HttpClient.newHttpClient();
    private final URI object;
    private final Function<HttpRequest.Builder, HttpRequest> signer;
    private final Term term;
    private HttpResponse<byte[]> last;

    /**
     * Takes the object over.
     *
     * @param signer signs a request, as the SDK of the store does
     * @throws IllegalStateException if a later term has taken it over
     */
    public FencedObject(URI object, Function<HttpRequest.Builder, HttpRequest> signer, Term term)
            throws IOException, InterruptedException {
        this.object = object;
        this.signer = signer;
        this.term = term;
        this.last = send(HttpRequest.newBuilder(object).GET());
        if (last.headers().firstValueAsLong(TOKEN).orElse(0) > term.fencingToken()) {
            throw overtaken();
        }
        write(last.statusCode() == 404 ? new byte[0] : last.body());
    }

    /**
     * Replaces the object.
     *
     * @throws IllegalStateException if a later term has taken it over
     */
    public final void write(byte[] content) throws IOException, InterruptedException {
        HttpRequest.Builder put = HttpRequest.newBuilder(object)
                .PUT(BodyPublishers.ofByteArray(content))
                .header(TOKEN, Long.toString(term.fencingToken()));
        last.headers()
                .firstValue("ETag")
                .ifPresentOrElse(etag -> put.header("If-Match", etag), () -> put.header("If-None-Match", "*"));
        last = send(put);
    }

    private HttpResponse<byte[]> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        HttpResponse<byte[]> answer = http.send(signer.apply(request), BodyHandlers.ofByteArray());
        if (answer.statusCode() == 412) {
            throw overtaken();
        }
        if (answer.statusCode() >= 300 && answer.statusCode() != 404) {
            throw new IOException(object + " answers " + answer.statusCode());
        }
        return answer;
    }

    private IllegalStateException overtaken() {
        return new IllegalStateException("Lease " + term.lease() + ": a later term has taken over " + object);
    }
}
