package io.cle.kubernetes.internal.transport;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

import com.google.gson.JsonObject;
import io.cle.kubernetes.KubernetesAccess;
import io.cle.kubernetes.internal.json.Json;
import io.cle.kubernetes.internal.json.MalformedObjectException;
import io.cle.kubernetes.internal.login.Login;
import io.cle.store.internal.Subscription;
import okhttp3.Call;
import okhttp3.Connection;
import okhttp3.ConnectionPool;
import okhttp3.Dispatcher;
import okhttp3.HttpUrl;
import okhttp3.Interceptor;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import okio.BufferedSink;
import okio.BufferedSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The transport to a cluster, on OkHttp. The cluster's own HTTP client is not modified.
 *
 * <p>Uses two OkHttp clients with separate connections: one for requests, each with its own timeout, and one for watches, whose timeout
 * applies only until the watch is open. OkHttp occupies a thread while a request is in progress or a watch is open. All threads are daemons
 * and end with {@link #close()}.
 *
 * <p>After a request that isn't answered in time, later requests use new connections. History without it: one of two kube-apiservers is cut
 * off from etcd but still answers HTTP/2 pings, so that OkHttp regards the connection as healthy. A leader's renewal and the following read
 * both time out, and its term ends.
 */
public final class OkHttpTransport implements KubernetesTransport {

    private static final Logger log = LoggerFactory.getLogger(OkHttpTransport.class);

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

    /** API servers confirm at once that a watch is open, before the first event. */
    private static final Duration OPEN_TIMEOUT = Duration.ofSeconds(10);

    private static final Duration IDLE_THREADS = Duration.ofSeconds(10);

    /** How often an HTTP/2 connection is pinged. */
    private static final Duration PING_INTERVAL = Duration.ofSeconds(10);

    /** Larger than any object of an API server; a stream without line breaks must not exhaust the memory. */
    private static final long MAX_LINE = 16L * 1024 * 1024;

    private final HttpUrl address;
    private final String userAgent;
    private final OkHttpClient watches;

    /** Replaced after a request that wasn't answered in time. */
    private final AtomicReference<OkHttpClient> requests;

    private final ExecutorService threads;
    private final ExecutorService requestThreads;

    /** The missing rights that have been logged. Each lease and each retry repeats the refused request. */
    private final Set<String> missingRights;

    /** The calls in progress, which {@link #close()} cancels. */
    private final Set<Call> calls = ConcurrentHashMap.newKeySet();

    private volatile boolean closed;

    /**
     * Returns a transport whose user agent is {@code cle/<version>}, which the API server logs.
     *
     * @throws IllegalArgumentException if the address isn't a URL
     */
    public static OkHttpTransport to(KubernetesAccess cluster) {
        String version = OkHttpTransport.class.getPackage().getImplementationVersion();
        return new OkHttpTransport(cluster, "cle/" + (version == null ? "development" : version));
    }

    /**
     * Creates a transport without a limit of concurrent requests.
     *
     * @param userAgent the name of this process in the API server's logs
     * @throws IllegalArgumentException if the address isn't a URL
     */
    public OkHttpTransport(KubernetesAccess cluster, String userAgent) {
        this(cluster, userAgent, CONNECT_TIMEOUT, OPEN_TIMEOUT);
    }

    /**
     * Creates a transport with the given timeouts.
     *
     * @param connectTimeout the timeout for connecting
     * @param openTimeout how long the server may take for the TLS handshake, and to confirm that a watch is open
     */
    OkHttpTransport(KubernetesAccess cluster, String userAgent, Duration connectTimeout, Duration openTimeout) {
        HttpUrl url = HttpUrl.parse(cluster.address());
        if (url == null) {
            throw new IllegalArgumentException("'" + cluster.address() + "' isn't the address of an API server");
        }
        address = url;
        OkHttpClient client = cluster.httpClient();
        this.userAgent = userAgent;
        threads = new ThreadPoolExecutor(
                0,
                Integer.MAX_VALUE,
                IDLE_THREADS.toSeconds(),
                TimeUnit.SECONDS,
                new SynchronousQueue<>(),
                daemons("cle-kubernetes-"));
        requestThreads = threads;
        missingRights = ConcurrentHashMap.newKeySet();
        OkHttpClient.Builder builder = client.newBuilder()
                .dispatcher(new Dispatcher())
                .connectionPool(new ConnectionPool())
                .connectTimeout(connectTimeout)
                .readTimeout(openTimeout)
                .callTimeout(Duration.ZERO)
                .pingInterval(PING_INTERVAL);
        OkHttpClient.Builder withTimeout = builder.build().newBuilder().connectionPool(new ConnectionPool());
        withTimeout.interceptors().add(0, OkHttpTransport::readTimeoutOfRequest);
        requests = new AtomicReference<>(withTimeout.build());
        watches = builder.addNetworkInterceptor(OkHttpTransport::silentOnceOpen).build();
    }

    private OkHttpTransport(OkHttpTransport connected, int requestsAtOnce) {
        address = connected.address;
        userAgent = connected.userAgent;
        threads = connected.threads;
        missingRights = connected.missingRights;
        watches = connected.watches;
        requests = connected.requests;
        ThreadPoolExecutor limited = new ThreadPoolExecutor(
                requestsAtOnce,
                requestsAtOnce,
                IDLE_THREADS.toSeconds(),
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                daemons("cle-kubernetes-request-"));
        limited.allowCoreThreadTimeOut(true);
        requestThreads = limited;
    }

    /**
     * Returns a transport on the same connections with its own threads for a limited number of concurrent requests. Further requests wait
     * in order, and the wait is part of their timeout. Watches are not limited. Close it before this one.
     *
     * @param requestsAtOnce the maximum number of concurrent requests, at least one
     */
    public OkHttpTransport limitedTo(int requestsAtOnce) {
        return new OkHttpTransport(this, requestsAtOnce);
    }

    @Override
    public CompletionStage<ApiResponse> send(ApiRequest request) {
        return call(request, response -> read(request, response));
    }

    @Override
    public CompletionStage<ApiResponse> list(ApiRequest request, Consumer<JsonObject> items) {
        return call(
                request,
                response -> response.isSuccessful() ? readList(request, response, items) : read(request, response));
    }

    private CompletionStage<ApiResponse> call(ApiRequest request, Reading reading) {
        CompletableFuture<ApiResponse> answer = new CompletableFuture<>();
        long asked = System.nanoTime();
        run(
                requestThreads,
                () -> answer.complete(exchange(request, reading, asked)),
                failure -> answer.complete(new ApiResponse.Unanswered(problem(request, failure))));
        return answer;
    }

    private ApiResponse exchange(ApiRequest request, Reading reading, long asked) throws IOException {
        long waited = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - asked);
        long left = request.timeout().toMillis() - waited;
        if (left <= 0) {
            throw new IOException("not sent: it has waited for a free thread for " + waited + " ms (API server slow?)");
        }
        OkHttpClient client = Objects.requireNonNull(requests.get());
        Call call = begun(Login.current(client).newCall(toHttp(request, Duration.ofMillis(left))));
        call.timeout().timeout(left, TimeUnit.MILLISECONDS);
        try {
            return reading.read(call.execute());
        } catch (InterruptedIOException timeout) {
            requests.compareAndSet(
                    client,
                    client.newBuilder().connectionPool(new ConnectionPool()).build());
            throw timeout;
        } finally {
            calls.remove(call);
            if (requests.get() != client) {
                client.connectionPool().evictAll();
            }
        }
    }

    /** Registers a call so that {@link #close()} cancels it, even if the transport is closed before the call is executed. */
    private Call begun(Call call) {
        calls.add(call);
        if (closed) {
            call.cancel();
        }
        return call;
    }

    @Override
    public Subscription watch(ApiRequest request, WatchStream stream) {
        CompletableFuture<Call> watch = new CompletableFuture<>();
        run(
                threads,
                () -> {
                    OkHttpClient client = Login.current(watches);
                    watch.complete(begun(client.newCall(toHttp(request, request.timeout()))));
                    stream.onEnd(pumped(request, watch.join(), stream));
                },
                failure -> stream.onEnd(new WatchEnd.NotOpened(problem(request, failure))));
        return () -> watch.thenAccept(Call::cancel);
    }

    private WatchEnd pumped(ApiRequest request, Call call, WatchStream stream) throws IOException {
        try {
            return pump(request, call.execute(), stream);
        } finally {
            calls.remove(call);
            // The server may have gone with the watch. A write on an idle connection to it would have an unknown
            // outcome, because writes aren't resent.
            Objects.requireNonNull(requests.get()).connectionPool().evictAll();
        }
    }

    /** Reads the response to a request. */
    private interface Reading {
        ApiResponse read(Response response) throws IOException;
    }

    /** A task for a thread of the transport. */
    private interface Exchange {
        void run() throws IOException;
    }

    /**
     * Runs a task and passes everything that it throws to the caller, who would otherwise wait forever. The application's own interceptors
     * may throw anything, and there may be no memory for another thread.
     */
    private static void run(Executor threads, Exchange exchange, Consumer<Throwable> failed) {
        try {
            threads.execute(() -> {
                try {
                    exchange.run();
                } catch (IOException | RuntimeException e) {
                    failed.accept(e);
                } catch (Error e) {
                    failed.accept(e);
                    throw e;
                }
            });
        } catch (RuntimeException | Error noThread) {
            failed.accept(noThread);
        }
    }

    @Override
    public void close() {
        closed = true;
        calls.forEach(Call::cancel);
        requestThreads.shutdown();
        if (requestThreads == threads) {
            Objects.requireNonNull(requests.get()).connectionPool().evictAll();
            watches.connectionPool().evictAll();
        }
    }

    private WatchEnd pump(ApiRequest request, Response response, WatchStream stream) throws IOException {
        if (!response.isSuccessful()) {
            ApiResponse answer = read(request, response);
            return answer instanceof ApiResponse.Answered answered
                    ? new WatchEnd.Refused(answered)
                    : new WatchEnd.NotOpened(((ApiResponse.Unanswered) answer).message());
        }
        try (response) {
            BufferedSource source = response.body().source();
            while (!source.exhausted()) {
                String line = source.readUtf8LineStrict(MAX_LINE);
                if (!line.isBlank()) {
                    stream.onEvent(Json.parseObject(line));
                }
            }
            return new WatchEnd.Completed();
        } catch (MalformedObjectException e) {
            return new WatchEnd.Broken(request.describe() + ": an event of the watch is " + e.getMessage());
        } catch (IOException | RuntimeException e) {
            return new WatchEnd.Broken(problem(request, e));
        }
    }

    private ApiResponse read(ApiRequest request, Response response) throws IOException {
        String text;
        try (response) {
            text = response.body().string();
        }
        Duration retryAfter = retryAfter(response.header("Retry-After"));
        try {
            ApiResponse.Answered answered =
                    new ApiResponse.Answered(response.code(), Json.parseObject(text), retryAfter);
            String right = request.verb() + " " + request.resource() + " " + request.namespace();
            if (Answers.missesRight(answered) && missingRights.add(right)) {
                log.warn("A right is missing: {}", Answers.describe(request, answered));
            }
            return answered;
        } catch (MalformedObjectException e) {
            if (response.isSuccessful()) {
                return new ApiResponse.Unanswered(request.describe() + ": the answer is " + e.getMessage());
            }
            JsonObject body = new JsonObject();
            body.addProperty("message", Json.excerpt(text));
            return new ApiResponse.Answered(response.code(), body, retryAfter);
        }
    }

    private static ApiResponse readList(ApiRequest request, Response response, Consumer<JsonObject> items)
            throws IOException {
        try (response) {
            JsonObject list = Json.readList(response.body().charStream(), items);
            return new ApiResponse.Answered(response.code(), list, null);
        } catch (MalformedObjectException e) {
            return new ApiResponse.Unanswered(request.describe() + ": the list is malformed: " + e.getMessage());
        }
    }

    private static @Nullable Duration retryAfter(@Nullable String header) {
        return header != null && header.matches("\\d{1,6}") ? Duration.ofSeconds(Long.parseLong(header)) : null;
    }

    private Request toHttp(ApiRequest request, Duration timeout) {
        HttpUrl.Builder url =
                address.newBuilder().addPathSegments(request.path().substring(1));
        request.query().forEach(url::addQueryParameter);
        JsonObject body = request.body();
        Request.Builder http = new Request.Builder()
                .url(url.build())
                .header("Accept", "application/json")
                .header("User-Agent", userAgent)
                .method(
                        request.verb().httpMethod(),
                        body == null ? null : new OneShot(body.toString(), request.contentType()))
                .tag(Duration.class, timeout);
        if (request.verb() == ApiRequest.Verb.WATCH) {
            // Compressed data may be held back until a block is full.
            http.header("Accept-Encoding", "identity");
        }
        return http.build();
    }

    /**
     * Describes a failure. The messages of OkHttp's own exceptions are sufficient; for all others, from credentials or from bugs, the type
     * is added.
     */
    private String problem(ApiRequest request, Throwable e) {
        boolean plain = e instanceof IOException && e.getMessage() != null;
        return request.describe() + ": " + (plain ? e.getMessage() : e.toString()) + throughProxy();
    }

    /** Describes the proxy of the kubeconfig or the JVM: a failure to connect to a proxy otherwise shows an unknown address. */
    private String throughProxy() {
        List<Proxy> proxies =
                watches.proxy() == null ? watches.proxySelector().select(address.uri()) : List.of(watches.proxy());
        return !proxies.isEmpty() && proxies.get(0).address() instanceof InetSocketAddress proxy
                ? " (through the proxy " + proxy.getHostString() + ":" + proxy.getPort() + ")"
                : "";
    }

    /**
     * Sets the read timeout a little below the timeout of the call, so that it occurs first: a cancelled call only closes its stream, while
     * after a read timeout OkHttp also checks whether the HTTP/2 connection is dead, and if so opens another.
     */
    private static Response readTimeoutOfRequest(Interceptor.Chain chain) throws IOException {
        Duration timeout = chain.request().tag(Duration.class);
        if (timeout == null) {
            return chain.proceed(chain.request());
        }
        int millis = Math.toIntExact(Math.max(1, timeout.toMillis() * 9 / 10));
        return chain.withReadTimeout(millis, TimeUnit.MILLISECONDS).proceed(chain.request());
    }

    /** Removes the timeout once a watch is open, because a watch is silent while nothing happens. In HTTP/1.1 the socket has its own timeout. */
    private static Response silentOnceOpen(Interceptor.Chain chain) throws IOException {
        Response response = chain.proceed(chain.request());
        Connection connection = chain.connection();
        if (response.isSuccessful() && connection != null) {
            connection.socket().setSoTimeout(0);
            response.body().source().timeout().clearTimeout();
        }
        return response;
    }

    private static ThreadFactory daemons(String prefix) {
        AtomicInteger count = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(task, prefix + count.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }

    /**
     * A body that OkHttp must not resend on its own. The first request may have been applied, and the second one would fail with a
     * conflict, which means that nothing was written (safety.md#unknown-outcome).
     */
    private static final class OneShot extends RequestBody {

        private final byte[] bytes;
        private final @Nullable MediaType type;

        OneShot(String text, String type) {
            bytes = text.getBytes(StandardCharsets.UTF_8);
            this.type = MediaType.parse(type);
        }

        @Override
        public @Nullable MediaType contentType() {
            return type;
        }

        @Override
        public long contentLength() {
            return bytes.length;
        }

        @Override
        public boolean isOneShot() {
            return true;
        }

        @Override
        public void writeTo(BufferedSink sink) throws IOException {
            sink.write(bytes);
        }
    }
}
