package io.cle.kubernetes;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import javax.net.ssl.X509TrustManager;

import com.google.gson.Gson;
import com.google.gson.JsonObject;
import io.cle.kubernetes.internal.login.AuthProvider;
import io.cle.kubernetes.internal.login.Credential;
import io.cle.kubernetes.internal.login.CredentialFiles;
import io.cle.kubernetes.internal.login.CredentialFiles.Text;
import io.cle.kubernetes.internal.login.ExecPlugin;
import io.cle.kubernetes.internal.login.HttpClients;
import io.cle.kubernetes.internal.login.Login;
import io.cle.kubernetes.internal.login.Renewed;
import io.cle.loop.internal.Clock;
import io.kubernetes.client.util.KubeConfig;
import okhttp3.Credentials;
import okhttp3.HttpUrl;
import okhttp3.OkHttpClient;
import org.jspecify.annotations.Nullable;

/**
 * Creates an HTTP client from a kubeconfig's cluster and user. client-java's own support reads each file only once, and runs exec plugins
 * far too often. Here, as in client-go, the kubeconfig itself is read once, and the files and programs that it names are read and run again
 * when necessary.
 */
final class KubeconfigLogin {

    private static final Set<String> EXEC_VERSIONS = Set.of(
            "client.authentication.k8s.io/v1",
            "client.authentication.k8s.io/v1beta1",
            "client.authentication.k8s.io/v1alpha1");

    /** The cluster's extension that is passed to a plugin as its configuration. */
    private static final String EXEC_EXTENSION = "client.authentication.k8s.io/exec";

    /** The fields of the cluster that are passed to a plugin under the same name. */
    private static final List<String> CLUSTER_INFO = List.of(
            "server",
            "tls-server-name",
            "insecure-skip-tls-verify",
            "certificate-authority-data",
            "proxy-url",
            "disable-compression");

    private final KubeConfig config;
    private final Path clustersFile;
    private final Path usersFile;
    private final String source;
    private final Clock clock;

    /** Creates a login for the chosen context. */
    KubeconfigLogin(KubeconfigFiles files, Clock clock) {
        this.config = files.merged();
        this.clustersFile = files.fileOf(cluster(config)).toAbsolutePath();
        this.usersFile = files.fileOf(user(config)).toAbsolutePath();
        this.source = files.source();
        this.clock = clock;
    }

    /**
     * Returns the API server's URL.
     *
     * @throws IOException if the cluster's server isn't one
     */
    String address() throws IOException {
        String server = config.getServer();
        String address = server.contains("://") ? server : (server.contains(":443") ? "https://" : "http://") + server;
        if (HttpUrl.parse(address) == null) {
            throw new IOException("its cluster's server '" + server
                    + "' isn't the address of an API server, like https://10.0.0.1:6443");
        }
        return address;
    }

    /**
     * Creates the client.
     *
     * @throws IOException if a file can't be read or is malformed
     * @throws ClassCastException if a value of the kubeconfig isn't of its type
     * @throws NullPointerException if one is missing
     */
    OkHttpClient client() throws IOException {
        OkHttpClient.Builder http = HttpClients.of(address());
        if (!config.verifySSL()) {
            HttpClients.trustEverybody(http);
        }
        Map<?, ?> user = user(config);
        String name = text(user, "username");
        String password = text(user, "password");
        Renewed<Credential> credential = credential(user);
        if (credential == null && name != null && password != null) {
            String basic = Credentials.basic(name, password, StandardCharsets.UTF_8);
            http.addInterceptor(chain -> chain.proceed(
                    chain.request().newBuilder().header("Authorization", basic).build()));
        } else if (credential == null) {
            credential = program(user);
        }
        OkHttpClient client = Login.client(http, credential, authorities());
        String tlsServerName = text(cluster(config), "tls-server-name");
        return tlsServerName == null ? client : HttpClients.expecting(tlsServerName, client);
    }

    /** Returns the entry of the current context's cluster; empty if there is none. */
    static Map<?, ?> cluster(KubeConfig config) {
        return entry(config.getClusters(), context(config).get("cluster"), "cluster");
    }

    /** Returns the entry of the current context's user; empty if there is none. */
    static Map<?, ?> user(KubeConfig config) {
        return entry(config.getUsers(), context(config).get("user"), "user");
    }

    /** Returns the entry of the current context; empty if there is none. */
    static Map<?, ?> context(KubeConfig config) {
        return entry(config.getContexts(), config.getCurrentContext(), "context");
    }

    private static Map<?, ?> entry(@Nullable List<Object> entries, @Nullable Object name, String content) {
        for (Object entry : entries == null ? List.of() : entries) {
            if (name != null
                    && entry instanceof Map<?, ?> named
                    && name.equals(named.get("name"))
                    && named.get(content) instanceof Map<?, ?> found) {
                return found;
            }
        }
        return Map.of();
    }

    private @Nullable Renewed<X509TrustManager> authorities() throws IOException {
        Text authorities = pem(cluster(config), clustersFile, "certificate-authority");
        if (authorities != null && !config.verifySSL()) {
            // As kubectl: whoever names authorities wants them to be checked.
            throw new IOException("its cluster has a certificate-authority, and insecure-skip-tls-verify: true,"
                    + " which would ignore it; remove one of them");
        }
        return authorities == null
                ? null
                : CredentialFiles.authorities(
                        "the certificate-authority of the kubeconfig " + source, authorities, clock);
    }

    /** Returns the token or client certificate in the kubeconfig or in files that it names; {@code null} if there is neither. */
    private @Nullable Renewed<Credential> credential(Map<?, ?> user) throws IOException {
        String tokenFile = text(user, "tokenFile");
        String inline = text(user, "token");
        Text token = tokenFile != null ? Text.of(beside(usersFile, tokenFile)) : inline == null ? null : () -> inline;
        Text certificate = pem(user, usersFile, "client-certificate");
        Text key = pem(user, usersFile, "client-key");
        if ((certificate == null) != (key == null)) {
            throw new IOException("its user has a client-certificate without a client-key, or the reverse");
        }
        return token == null && certificate == null
                ? null
                : CredentialFiles.credential("the login of the kubeconfig " + source, token, certificate, key, clock);
    }

    private static @Nullable Text pem(Map<?, ?> entry, Path file, String name) throws IOException {
        String data = text(entry, name + "-data");
        String path = text(entry, name);
        if (data != null) {
            String pem = decoded(name + "-data", data);
            return () -> pem;
        }
        return path == null ? null : Text.of(beside(file, path));
    }

    private static String decoded(String name, String base64) throws IOException {
        try {
            return new String(Base64.getMimeDecoder().decode(base64), StandardCharsets.US_ASCII);
        } catch (IllegalArgumentException e) {
            throw new IOException("its " + name + " isn't base64: " + e.getMessage(), e);
        }
    }

    /** Returns the credential of a program, which runs only when there is a request: it may fail temporarily, as the network may. */
    private @Nullable Renewed<Credential> program(Map<?, ?> user) throws IOException {
        if (user.get("exec") != null) {
            return ExecPlugin.credential(plugin((Map<?, ?>) user.get("exec")), source, clock);
        }
        if (user.get("auth-provider") != null) {
            // Detects an incomplete or unknown auth-provider at startup.
            if (config.getCredentials() == null) {
                throw new IOException(
                        "client-java doesn't know the auth-provider of its user; use an exec plugin instead");
            }
            return AuthProvider.credential(config, source, clock);
        }
        return null;
    }

    private ExecPlugin.Command plugin(Map<?, ?> exec) throws IOException {
        String program = (String) Objects.requireNonNull(exec.get("command"));
        String version = (String) Objects.requireNonNull(exec.get("apiVersion"));
        if (!EXEC_VERSIONS.contains(version)) {
            throw new IOException("its exec plugin '" + program + "' is of the apiVersion '" + version
                    + "', which is none of client.authentication.k8s.io/v1 and /v1beta1");
        }
        if ("Always".equals(exec.get("interactiveMode"))) {
            throw new IOException("its exec plugin '" + program
                    + "' needs a terminal (interactiveMode: Always), which this process hasn't; use another login");
        }
        List<?> arguments = exec.get("args") == null ? List.of() : (List<?>) exec.get("args");
        Map<String, String> environment = new HashMap<>();
        for (Object variable : exec.get("env") == null ? List.of() : (List<?>) exec.get("env")) {
            Map<?, ?> entry = (Map<?, ?>) variable;
            environment.put(
                    (String) Objects.requireNonNull(entry.get("name")),
                    String.valueOf(Objects.requireNonNull(entry.get("value"))));
        }
        return new ExecPlugin.Command(
                program.contains("/") || program.contains("\\")
                        ? beside(usersFile, program).toString()
                        : program,
                arguments.stream().map(String::valueOf).toList(),
                version,
                environment,
                Boolean.TRUE.equals(exec.get("provideClusterInfo")) ? clusterInfo() : null,
                text(exec, "installHint"));
    }

    private JsonObject clusterInfo() throws IOException {
        Map<?, ?> cluster = cluster(config);
        Gson gson = new Gson();
        JsonObject info = new JsonObject();
        for (String name : CLUSTER_INFO) {
            if (cluster.get(name) != null) {
                info.add(name, gson.toJsonTree(cluster.get(name)));
            }
        }
        String authorities = config.getCertificateAuthorityFile();
        if (authorities != null && !info.has("certificate-authority-data")) {
            byte[] pem = Text.of(beside(clustersFile, authorities)).read().getBytes(StandardCharsets.US_ASCII);
            info.addProperty("certificate-authority-data", Base64.getEncoder().encodeToString(pem));
        }
        Object extensions = cluster.get("extensions");
        for (Object extension : extensions == null ? List.of() : (List<?>) extensions) {
            if (extension instanceof Map<?, ?> named && EXEC_EXTENSION.equals(named.get("name"))) {
                info.add("config", gson.toJsonTree(named.get("extension")));
            }
        }
        return info;
    }

    /** Resolves a path in the entry of a user or cluster against the file of the entry. */
    private static Path beside(Path file, String relative) {
        return file.resolveSibling(relative).normalize();
    }

    private static @Nullable String text(Map<?, ?> entry, String name) {
        String value = (String) entry.get(name);
        return value == null || value.isBlank() ? null : value;
    }
}
