package io.cle.coordinator;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.cle.kubernetes.KubernetesAccess;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;

/** The whole application in this process, as {@code java -jar} would run it, on a free port. */
final class RunningCoordinator implements AutoCloseable {

    private final ConfigurableApplicationContext context;
    private final HttpClient http = HttpClient.newHttpClient();

    private RunningCoordinator(ConfigurableApplicationContext context) {
        this.context = context;
    }

    /** Starts it against an API server without authentication, with further properties as on the command line. */
    static RunningCoordinator at(String apiServer, String... properties) {
        return at(KubernetesAccess.at(apiServer), properties);
    }

    /** Starts it against an API server, with further properties as on the command line. */
    static RunningCoordinator at(KubernetesAccess access, String... properties) {
        List<String> arguments = new ArrayList<>(List.of(
                "--server.port=0",
                "--server.address=127.0.0.1",
                "--server.shutdown=immediate",
                "--spring.main.register-shutdown-hook=false"));
        for (String property : properties) {
            arguments.add("--" + property);
        }
        SpringApplication application = new SpringApplication(CoordinatorApplication.class);
        application.addInitializers(
                context -> ((GenericApplicationContext) context).registerBean(KubernetesAccess.class, () -> access));
        return new RunningCoordinator(application.run(arguments.toArray(String[]::new)));
    }

    <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    /** The name of this replica in the election among the coordinator's replicas. */
    String identity() {
        return bean(CoordinatorLifecycle.class).replicaConfig.identity();
    }

    /** Returns the status and body of an actuator endpoint. */
    Answer actuator(String path) {
        return get("/actuator/" + path);
    }

    /** Returns the status and body of a path. */
    Answer get(String path) {
        return get(((WebServerApplicationContext) context).getWebServer().getPort(), path);
    }

    /** Returns the status of a path requested with a Host name, as by a browser. */
    int statusAs(String host, String path) {
        int port = ((WebServerApplicationContext) context).getWebServer().getPort();
        return statusAs(host, port, path, Duration.ofSeconds(30));
    }

    /** Does the same on any port. */
    static int statusAs(String host, int port, String path, Duration patience) {
        String request = "GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n";
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout((int) patience.toMillis());
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return Integer.parseInt(answer.split(" ")[1]);
        } catch (IOException e) {
            throw new AssertionError(path + " can't be requested with Host " + host, e);
        }
    }

    /** Returns the status and body of a path on the management port. */
    Answer onManagementPort(String path) {
        return get(managementPort(), path);
    }

    /** Returns the status that the kubelet gets, on a new connection. */
    int probe(String path, Duration patience) {
        return statusAs("10.0.0.1", managementPort(), path, patience);
    }

    /** The management port, if it isn't the main one. */
    int managementPort() {
        return Integer.parseInt(context.getEnvironment().getRequiredProperty("local.management.port"));
    }

    /** Returns the status of a request with another method than GET. */
    int send(String method, String path) {
        int port = ((WebServerApplicationContext) context).getWebServer().getPort();
        return send(request(port, path).method(method, HttpRequest.BodyPublishers.noBody()))
                .statusCode();
    }

    private Answer get(int port, String path) {
        HttpResponse<String> response = send(request(port, path));
        return new Answer(response.statusCode(), response.body());
    }

    private static HttpRequest.Builder request(int port, String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path));
    }

    private HttpResponse<String> send(HttpRequest.Builder builder) {
        HttpRequest request = builder.build();
        try {
            return http.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(request.uri() + " can't be requested", e);
        }
    }

    /** Whether it is ready to coordinate. */
    boolean ready() {
        String port = context.getEnvironment().getProperty("local.management.port");
        int actuator = port == null
                ? ((WebServerApplicationContext) context).getWebServer().getPort()
                : Integer.parseInt(port);
        return get(actuator, "/actuator/health/readiness").status() == 200;
    }

    /** An endpoint's answer. */
    record Answer(int status, String body) {

        JsonObject json() {
            return JsonParser.parseString(body).getAsJsonObject();
        }
    }

    @Override
    public void close() {
        context.close();
    }
}
