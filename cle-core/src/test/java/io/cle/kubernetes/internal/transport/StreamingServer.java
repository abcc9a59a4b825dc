package io.cle.kubernetes.internal.transport;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

/** A server whose answers a test writes piece by piece. */
final class StreamingServer implements AutoCloseable {

    private static final long PATIENCE = 20;

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "streaming-server");
        thread.setDaemon(true);
        return thread;
    });
    private final BlockingQueue<Stream> streams = new LinkedBlockingQueue<>();

    /** One answer. */
    static final class Stream {
        final String uri;
        private final OutputStream out;
        private final CountDownLatch over = new CountDownLatch(1);

        private Stream(HttpExchange exchange) throws IOException {
            this.uri = exchange.getRequestURI().toString();
            exchange.sendResponseHeaders(200, 0);
            this.out = exchange.getResponseBody();
            out.flush();
        }

        Stream write(String text) throws IOException {
            out.write(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
            out.flush();
            return this;
        }

        /** Ends the answer properly. */
        void end() throws IOException {
            out.close();
            over.countDown();
        }
    }

    StreamingServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", exchange -> {
            Stream stream = new Stream(exchange);
            streams.add(stream);
            try {
                stream.over.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** Waits for the next answer to write. */
    Stream next() throws InterruptedException {
        Stream stream = streams.poll(PATIENCE, TimeUnit.SECONDS);
        if (stream == null) {
            throw new AssertionError("no request was received");
        }
        return stream;
    }

    /** Closes all connections, including those with open answers. */
    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
