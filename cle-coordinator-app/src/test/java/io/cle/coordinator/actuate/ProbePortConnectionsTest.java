package io.cle.coordinator.actuate;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServer;

import static org.assertj.core.api.Assertions.assertThat;

/** What strangers do with connections keeps no probe waiting. */
class ProbePortConnectionsTest {

    private static final String LIVENESS = "/actuator/health/liveness";
    private static final String SCRAPE = "/actuator/prometheus";

    private final AtomicLong nanos = new AtomicLong();
    private final ProbePort probes = new ProbePort(0, nanos::get);
    private final List<Socket> sockets = new ArrayList<>();
    private final CountDownLatch scraped = new CountDownLatch(2);
    private final CountDownLatch read = new CountDownLatch(1);
    private WebServer server;

    /** Answers as the actuator does; a scrape when the client reads. */
    private final class Actuator extends HttpServlet {

        private static final long serialVersionUID = 1L;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            if (request.getRequestURI().equals(SCRAPE)) {
                scraped.countDown();
                awaitReading();
            }
            response.getWriter().print("ok");
        }

        private void awaitReading() throws IOException {
            try {
                if (!read.await(1, TimeUnit.MINUTES)) {
                    throw new IOException("the test doesn't end");
                }
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
        }
    }

    @BeforeEach
    void start() {
        TomcatServletWebServerFactory factory = new TomcatServletWebServerFactory(0);
        probes.openIn(factory);
        server = factory.getWebServer(context -> {
            context.addServlet("actuator", new Actuator()).addMapping("/*");
            context.addFilter("probes", probes).addMappingForUrlPatterns(null, false, "/*");
        });
        server.start();
    }

    @AfterEach
    void stop() throws IOException {
        read.countDown();
        for (Socket socket : sockets) {
            socket.close();
        }
        server.stop();
    }

    private Socket connect() throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), probes.localPort());
        socket.setSoTimeout(5_000);
        sockets.add(socket);
        return socket;
    }

    private Socket asks(String path) throws IOException {
        Socket socket = connect();
        socket.getOutputStream()
                .write(("GET " + path + " HTTP/1.1\r\nHost: a\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    private static String answer(Socket socket) throws IOException {
        return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    }

    private static boolean isClosed(Socket socket) throws IOException {
        InputStream in = socket.getInputStream();
        try {
            return in.read() < 0;
        } catch (SocketTimeoutException e) {
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    private static boolean isOpen(Socket socket) throws IOException {
        socket.setSoTimeout(50);
        return !isClosed(socket);
    }

    @Test
    void theOldestConnectionIsClosedIfThereAreTooMany() throws IOException {
        Socket oldest = connect();
        for (int i = 0; i < ProbeProtocol.CONNECTIONS - 1; i++) {
            connect();
        }
        assertThat(isOpen(oldest)).isTrue();

        assertThat(answer(asks(LIVENESS))).contains("200").endsWith("ok");

        oldest.setSoTimeout(5_000);
        assertThat(isClosed(oldest)).isTrue();
    }

    @Test
    void aProbeIsAnsweredThoughHundredsOfConnectionsAreIdle() throws IOException {
        for (int i = 0; i < 500; i++) {
            connect();
        }

        assertThat(answer(asks(LIVENESS))).contains("200");
    }

    @Test
    void aConnectionThatLastsTooLongIsClosedWhenAnotherOneComes() throws IOException {
        Socket slow = connect();
        slow.getOutputStream().write("GET / HTTP/1.1\r\nX-Slow: ".getBytes(StandardCharsets.US_ASCII));
        assertThat(answer(asks(LIVENESS))).contains("200");
        assertThat(isOpen(slow)).isTrue();

        nanos.addAndGet(ProbeProtocol.LONGEST.toNanos());
        assertThat(answer(asks(LIVENESS))).contains("200");

        slow.setSoTimeout(1_000);
        assertThat(isClosed(slow)).isTrue();
    }

    @Test
    void scrapesLeaveAThreadForProbes() throws Exception {
        Socket first = asks(SCRAPE);
        asks(SCRAPE);
        assertThat(scraped.await(10, TimeUnit.SECONDS)).isTrue();

        assertThat(answer(asks(SCRAPE))).contains("503");
        assertThat(answer(asks(LIVENESS))).contains("200");

        read.countDown();
        assertThat(answer(first)).contains("200");
    }

    @Test
    void aConnectionIsForOneRequest() throws IOException {
        Socket socket = asks(LIVENESS);

        assertThat(answer(socket)).contains("Connection: close");
    }
}
