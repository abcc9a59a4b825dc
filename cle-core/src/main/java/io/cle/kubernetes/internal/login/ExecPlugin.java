package io.cle.kubernetes.internal.login;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import io.cle.kubernetes.internal.json.Json;
import io.cle.kubernetes.internal.json.MalformedObjectException;
import io.cle.kubernetes.internal.json.Rfc3339;
import io.cle.loop.internal.Clock;
import org.jspecify.annotations.Nullable;

/**
 * A program that prints a credential, configured in a kubeconfig under {@code exec} (<a
 * href="https://kubernetes.io/docs/reference/access-authn-authz/authentication/#client-go-credential-plugins">client-go credential
 * plugins</a>). client-java's own support runs the program each time the token is read, and ignores {@code expirationTimestamp}. The
 * program's standard error is inherited from this process.
 */
public final class ExecPlugin implements Renewed.Source<Credential> {

    /** The maximum time before its expiry that a credential is renewed: enough for several failed runs. */
    static final Duration AHEAD = Duration.ofMinutes(5);

    /**
     * The timeout of a run. A plugin that calls an identity provider takes seconds; one that hangs is run again while the current
     * credential is valid.
     */
    static final Duration LONGEST_RUN = Duration.ofMinutes(1);

    /** The timeout of the first run, in which a person may have to log in with a browser. */
    static final Duration LONGEST_FIRST_RUN = Duration.ofMinutes(5);

    /** How long even a credential is used that has expired by this machine's clock, because the clock may be wrong. */
    private static final Duration SHORTEST_USE = Duration.ofSeconds(10);

    private static final Duration LONGEST_USE = Duration.ofDays(365);

    /** How long to wait for the output after the program has exited. */
    private static final Duration LAST_OUTPUT = Duration.ofSeconds(5);

    /** Longer than any credential. */
    private static final int MAX_OUTPUT = 1024 * 1024;

    private final Command command;
    private final Clock clock;
    private Duration longestRun;
    private @Nullable ClientCertificate last;

    /**
     * The command to run.
     *
     * @param program a path, or a name that is looked up in {@code PATH}
     * @param apiVersion the version of its output
     * @param environment variables in addition to this process's environment
     * @param cluster the cluster information passed to it; {@code null} for none
     * @param installHint what to do if it is missing; {@code null} if the kubeconfig has no hint
     */
    public record Command(
            String program,
            List<String> arguments,
            String apiVersion,
            Map<String, String> environment,
            @Nullable JsonObject cluster,
            @Nullable String installHint) {}

    ExecPlugin(Command command, Duration longestFirstRun, Clock clock) {
        this.command = command;
        this.longestRun = longestFirstRun;
        this.clock = clock;
    }

    /**
     * Returns the credential of a plugin, which runs when the credential is first needed, and again before the credential expires.
     *
     * @param kubeconfig the kubeconfig that names the plugin, for messages
     */
    public static Renewed<Credential> credential(Command command, String kubeconfig, Clock clock) {
        return Renewed.inBackground(
                name(command, kubeconfig), new ExecPlugin(command, LONGEST_FIRST_RUN, clock), clock);
    }

    static String name(Command command, String kubeconfig) {
        return "the exec plugin '" + command.program() + "' of the kubeconfig " + kubeconfig;
    }

    @Override
    public Renewed.Fresh<Credential> read() throws IOException {
        JsonObject status = status(run());
        String token = text(status, "token");
        String certificates = text(status, "clientCertificateData");
        String key = text(status, "clientKeyData");
        if ((certificates == null) != (key == null)) {
            throw new IOException("its output has a certificate without its key, or a key without its certificate");
        }
        if (token == null && certificates == null) {
            throw new IOException("its output has neither a token nor a certificate");
        }
        ClientCertificate certificate =
                certificates == null || key == null ? null : ClientCertificate.of(last, certificates, key);
        last = certificate;
        longestRun = LONGEST_RUN;
        return fresh(new Credential(token, certificate), end(text(status, "expirationTimestamp"), certificate));
    }

    private Renewed.Fresh<Credential> fresh(Credential credential, @Nullable Instant end) {
        if (end == null) {
            return new Renewed.Fresh<>(credential, null, null);
        }
        Duration left = atLeast(SHORTEST_USE, atMost(LONGEST_USE, Duration.between(clock.wall(), end)));
        Duration ahead = atMost(AHEAD, left.dividedBy(5));
        return new Renewed.Fresh<>(credential, left.minus(ahead), left);
    }

    private static Duration atMost(Duration most, Duration duration) {
        return duration.compareTo(most) < 0 ? duration : most;
    }

    private static Duration atLeast(Duration least, Duration duration) {
        return duration.compareTo(least) < 0 ? least : duration;
    }

    /** Returns the earlier end of the expiration and the certificate, because not every plugin prints an expiration. */
    private static @Nullable Instant end(@Nullable String expiration, @Nullable ClientCertificate certificate)
            throws IOException {
        Instant ofCertificate = certificate == null ? null : certificate.notAfter();
        if (expiration == null) {
            return ofCertificate;
        }
        try {
            Instant said = Rfc3339.parse(expiration);
            return ofCertificate == null || said.isBefore(ofCertificate) ? said : ofCertificate;
        } catch (DateTimeException e) {
            throw new IOException("its expirationTimestamp '" + expiration + "' is not a time: " + e.getMessage(), e);
        }
    }

    private String run() throws IOException {
        List<String> line = new ArrayList<>();
        line.add(command.program());
        line.addAll(command.arguments());
        ProcessBuilder builder = new ProcessBuilder(line).redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().putAll(command.environment());
        builder.environment().put("KUBERNETES_EXEC_INFO", info().toString());
        Process process;
        try {
            process = builder.start();
        } catch (IOException e) {
            throw new IOException(
                    "it can't be run: " + e.getMessage()
                            + (command.installHint() == null ? "" : "; " + command.installHint()),
                    e);
        }
        try {
            process.getOutputStream().close();
            CompletableFuture<String> printed = new CompletableFuture<>();
            Renewed.startThread(() -> read(process, printed));
            if (!process.waitFor(longestRun.toNanos(), TimeUnit.NANOSECONDS)) {
                throw new IOException(
                        "it was killed because it had not finished after " + longestRun.toSeconds() + " s");
            }
            if (process.exitValue() != 0) {
                throw new IOException("it failed with exit code " + process.exitValue());
            }
            return printed.get(LAST_OUTPUT.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw new IOException("it has exited, but a program that it started keeps its standard output open", e);
        } catch (ExecutionException e) {
            throw new IOException("its output can't be read: " + e.getCause(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while it was running", e);
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    private static void read(Process process, CompletableFuture<String> printed) {
        try {
            byte[] bytes = process.getInputStream().readNBytes(MAX_OUTPUT);
            printed.complete(new String(bytes, StandardCharsets.UTF_8));
        } catch (IOException | RuntimeException e) {
            printed.completeExceptionally(e);
        }
    }

    private JsonObject info() {
        JsonObject spec = new JsonObject();
        spec.addProperty("interactive", false);
        if (command.cluster() != null) {
            spec.add("cluster", command.cluster());
        }
        JsonObject info = new JsonObject();
        info.addProperty("apiVersion", command.apiVersion());
        info.addProperty("kind", "ExecCredential");
        info.add("spec", spec);
        return info;
    }

    /** Parses the output. Messages never contain any of it, because it may be secret. */
    private JsonObject status(String printed) throws IOException {
        JsonObject credential;
        try {
            credential = Json.parseObject(printed);
        } catch (MalformedObjectException e) {
            throw new IOException("its output is not a JSON object");
        }
        if (!"ExecCredential".equals(text(credential, "kind"))
                || !command.apiVersion().equals(text(credential, "apiVersion"))) {
            throw new IOException("its output is " + text(credential, "apiVersion") + " " + text(credential, "kind")
                    + " instead of an ExecCredential of " + command.apiVersion());
        }
        if (credential.get("status") instanceof JsonObject status) {
            return status;
        }
        throw new IOException("the ExecCredential in its output has no status");
    }

    private static @Nullable String text(JsonObject object, String name) {
        return object.get(name) instanceof JsonPrimitive value
                        && !value.getAsString().isEmpty()
                ? value.getAsString()
                : null;
    }
}
