package io.cle.kubernetes;

import java.io.File;
import java.io.IOException;
import java.io.Reader;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

import javax.net.ssl.KeyManager;

import io.cle.kubernetes.internal.login.ApiClientLogin;
import io.cle.kubernetes.internal.login.ClientCertificate;
import io.cle.kubernetes.internal.login.Login;
import io.cle.kubernetes.internal.login.RenewedFile;
import io.cle.loop.internal.Clock;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.util.ClientBuilder;
import io.kubernetes.client.util.KubeConfig;
import okhttp3.ConnectionSpec;
import okhttp3.HttpUrl;
import okhttp3.Interceptor;
import okhttp3.OkHttpClient;
import org.jspecify.annotations.Nullable;

/**
 * Access to a cluster: its address and credentials. They come from an explicit address, else the file that {@code KUBECONFIG} names, else
 * {@code ~/.kube/config}, else the service account of the pod, which is client-java's usual order. Unlike client-java, it has no default
 * address if all of these are missing, and treats a named file that can't be used as an error. Reads files, so don't call it on an event
 * loop.
 *
 * <p>client-java reads a kubeconfig, once, and logs in. The files of a pod's service account are read again every minute.
 */
public final class KubernetesAccess {

    private static final Path SERVICE_ACCOUNT = Path.of("/var/run/secrets/kubernetes.io/serviceaccount");

    /** How often client-java runs an exec plugin for another token. EKS' tokens are valid for 15 minutes. */
    private static final Duration EXEC_REFRESH = Duration.ofMinutes(5);

    private final String address;
    private final OkHttpClient httpClient;
    private final String source;
    private final Optional<String> namespace;

    /** {@code null} until {@link #apiClient()} creates it. */
    private @Nullable ApiClient apiClient;

    private KubernetesAccess(String address, OkHttpClient httpClient, String source, Optional<String> namespace) {
        this.address = address.endsWith("/") ? address.substring(0, address.length() - 1) : address;
        this.httpClient = httpClient;
        this.source = source;
        this.namespace = namespace;
    }

    /**
     * Finds the cluster of this process.
     *
     * @throws NoClusterConfigurationException if there is no configuration of a cluster, or it can't be used
     */
    public static KubernetesAccess find() {
        return find((Path) null, null);
    }

    /**
     * Finds the cluster of this process, with an optional choice of the kubeconfig or its context.
     *
     * @param kubeconfig the kubeconfig; {@code null} for the one that would be found otherwise
     * @param context the kubeconfig's context; {@code null} for its current one
     * @throws NoClusterConfigurationException if there is no configuration of a cluster, or it can't be used
     */
    public static KubernetesAccess find(@Nullable Path kubeconfig, @Nullable String context) {
        return kubeconfig == null
                ? find(new Surroundings(System.getenv(), homeOf(System.getenv()), SERVICE_ACCOUNT), context)
                : ofKubeconfig(kubeconfig, "the caller", SERVICE_ACCOUNT, context);
    }

    /**
     * Returns the cluster of an API client that the application has created. The client is not modified.
     *
     * @throws NoClusterConfigurationException if its base path isn't the address of an API server
     */
    public static KubernetesAccess of(ApiClient client) {
        return of(client, "the application's ApiClient", namespaceOfPod(SERVICE_ACCOUNT));
    }

    private static KubernetesAccess of(ApiClient client, String source, Optional<String> namespace) {
        String address = client.getBasePath();
        if (HttpUrl.parse(address) == null) {
            throw new NoClusterConfigurationException(
                    "the address '" + address + "' of " + source
                            + " isn't the address of an API server, like https://10.0.0.1:6443",
                    null);
        }
        KubernetesAccess access = new KubernetesAccess(address, ApiClientLogin.client(client), source, namespace);
        access.apiClient = client;
        return access;
    }

    /**
     * Returns the cluster of a kubeconfig.
     *
     * @throws NoClusterConfigurationException if the file can't be used
     */
    public static KubernetesAccess of(Path kubeconfig) {
        return find(kubeconfig, null);
    }

    /**
     * Returns the cluster of an API server that requires no authentication.
     *
     * @throws NoClusterConfigurationException if the address is malformed
     */
    public static KubernetesAccess at(String baseUrl) {
        if (HttpUrl.parse(baseUrl) == null) {
            throw new NoClusterConfigurationException(
                    "'" + baseUrl + "' isn't the address of an API server; it must be like http://127.0.0.1:8080",
                    null);
        }
        OkHttpClient client = baseUrl.startsWith("http:")
                ? http().connectionSpecs(List.of(ConnectionSpec.CLEARTEXT)).build()
                : http().build();
        return new KubernetesAccess(baseUrl, client, baseUrl, namespaceOfPod(SERVICE_ACCOUNT));
    }

    /**
     * The part of a process's environment that configures its cluster.
     *
     * @param environment the environment variables
     * @param home the home directory; {@code null} if there is none
     * @param serviceAccount where the service account of a pod is mounted
     */
    record Surroundings(
            Map<String, String> environment, @Nullable Path home, Path serviceAccount) {}

    static KubernetesAccess find(Surroundings surroundings, @Nullable String context) {
        Optional<Path> named = fileOf(surroundings.environment().getOrDefault("KUBECONFIG", ""));
        if (named.isPresent()) {
            return ofKubeconfig(named.get(), "KUBECONFIG", surroundings.serviceAccount(), context);
        }
        Path home = surroundings.home();
        Path file = home == null ? null : home.resolve(".kube").resolve("config");
        if (file != null && Files.exists(file)) {
            return ofKubeconfig(file, "the home directory", surroundings.serviceAccount(), context);
        }
        Path account = surroundings.serviceAccount();
        boolean inCluster = surroundings.environment().containsKey("KUBERNETES_SERVICE_HOST");
        if (context != null) {
            throw new NoClusterConfigurationException(
                    "the context '" + context + "' can't be used without a kubeconfig: KUBECONFIG is not set, and "
                            + (file == null ? "~/.kube/config" : file) + " does not exist",
                    null);
        }
        if (inCluster && Files.exists(account.resolve("token"))) {
            return ofServiceAccount(surroundings);
        }
        throw new NoClusterConfigurationException(
                "no cluster configuration: KUBECONFIG is not set, " + (file == null ? "~/.kube/config" : file)
                        + " does not exist, and "
                        + (inCluster
                                ? "although this runs in a pod, it has no service account token in " + account
                                        + " (automountServiceAccountToken?)"
                                : "this does not run in a pod (KUBERNETES_SERVICE_HOST is not set)"),
                null);
    }

    /** Returns the API server's URL, without a slash at its end. */
    public String address() {
        return address;
    }

    /** Returns the HTTP client that reaches the cluster. It authenticates by itself, and its requests have no read timeout. */
    public OkHttpClient httpClient() {
        return httpClient;
    }

    /** Returns the same access, except that requests also pass an interceptor, which sees their credentials. */
    public KubernetesAccess withInterceptor(Interceptor interceptor) {
        return new KubernetesAccess(
                address, httpClient.newBuilder().addInterceptor(interceptor).build(), source, namespace);
    }

    /**
     * Returns client-java's client of the cluster, on {@link #httpClient()}, always the same one. It is created by the first call: client-java
     * then registers all of Kubernetes' types, which takes some tenths of a second. Leader election doesn't need it.
     */
    public synchronized ApiClient apiClient() {
        ApiClient client = apiClient;
        if (client == null) {
            client = new ApiClient(httpClient).setBasePath(address);
            apiClient = client;
        }
        return client;
    }

    /** Returns the pod's namespace, else the kubeconfig context's, else {@code default}. */
    public String namespace() {
        return namespace.orElse("default");
    }

    /** Describes where the configuration was found, and the address. */
    public String describe() {
        return source.equals(address) ? source : address + " (from " + source + ")";
    }

    /** Returns the access of a kubeconfig, which client-java reads. Replaces its exceptions, which don't mention the file. */
    private static KubernetesAccess ofKubeconfig(
            Path file, String foundBy, Path serviceAccount, @Nullable String context) {
        String source = "the kubeconfig " + file + ", named by " + foundBy + ",";
        if (Files.notExists(file)) {
            throw new NoClusterConfigurationException(source + " can't be read: there is no such file", null);
        }
        try (Reader reader = Files.newBufferedReader(file)) {
            KubeConfig config = KubeConfig.loadKubeConfig(reader);
            config.setFile(file.toFile());
            if (context != null && !config.setContext(context)) {
                throw new NoClusterConfigurationException(
                        source + " has no context '" + context + "'; see 'kubectl config get-contexts'", null);
            }
            Optional<String> ofContext =
                    Optional.ofNullable(config.getNamespace()).filter(value -> !value.isBlank());
            return of(
                    client(config),
                    file + ", named by " + foundBy,
                    namespaceOfPod(serviceAccount).or(() -> ofContext));
        } catch (NoClusterConfigurationException e) {
            throw e;
        } catch (IOException e) {
            throw new NoClusterConfigurationException(source + " can't be used: " + e, e);
        } catch (RuntimeException | LinkageError e) {
            throw new NoClusterConfigurationException(
                    source + " can't be used by client-java: " + e + "; compare it with 'kubectl config view'", e);
        }
    }

    /** Creates the client. Client certificates are read here, because client-java needs Bouncy Castle for them, 11 MB. */
    private static ApiClient client(KubeConfig config) throws IOException {
        ClientBuilder builder = ClientBuilder.kubeconfig(config, EXEC_REFRESH);
        byte[] certificate =
                config.getDataOrFileRelative(config.getClientCertificateData(), config.getClientCertificateFile());
        byte[] key = config.getDataOrFileRelative(config.getClientKeyData(), config.getClientKeyFile());
        if (certificate == null || key == null) {
            return builder.build();
        }
        KeyManager[] keyManagers = ClientCertificate.keyManagers(certificate, key);
        return builder.setAuthentication(client -> client.setKeyManagers(keyManagers))
                .build();
    }

    /** Returns the access of the pod's service account. Unlike with client-java, its files are read again. */
    private static KubernetesAccess ofServiceAccount(Surroundings surroundings) {
        Path account = surroundings.serviceAccount();
        String host = surroundings.environment().get("KUBERNETES_SERVICE_HOST");
        String port = surroundings.environment().getOrDefault("KUBERNETES_SERVICE_PORT", "443");
        try {
            URI address = new URI("https", null, host, Integer.parseInt(port), null, null, null);
            OkHttpClient client = Login.client(
                    http(),
                    RenewedFile.token(account.resolve("token"), Clock.system()),
                    RenewedFile.authorities(account.resolve("ca.crt"), Clock.system()));
            return new KubernetesAccess(
                    address.toString(), client, "the pod's service account", namespaceOfPod(account));
        } catch (IOException e) {
            throw new NoClusterConfigurationException("the pod's service account can't be used: " + e.getMessage(), e);
        } catch (URISyntaxException | RuntimeException e) {
            throw new NoClusterConfigurationException("the pod's service account can't be used: " + e, e);
        }
    }

    /**
     * Returns a client without a read timeout, because watches are silent while nothing happens. client-java's isn't used in a pod: each
     * {@code ApiClient} registers all of Kubernetes' types, of which leader election needs none, and reads the certificate authorities of the
     * JVM. Both take some tenths of a second of an application's start.
     */
    private static OkHttpClient.Builder http() {
        return new OkHttpClient.Builder().readTimeout(Duration.ZERO);
    }

    /**
     * Returns the first file that a variable names, as client-java does: the variable begins with an empty name if a shell appends a file to an
     * unset variable.
     */
    private static Optional<Path> fileOf(String variable) {
        try {
            return Stream.of(variable.split(File.pathSeparator))
                    .filter(path -> !path.isBlank())
                    .map(Path::of)
                    .findFirst();
        } catch (InvalidPathException e) {
            throw new NoClusterConfigurationException("KUBECONFIG contains an invalid path: " + e.getMessage(), e);
        }
    }

    private static Optional<String> namespaceOfPod(Path account) {
        Path file = account.resolve("namespace");
        try {
            return Files.exists(file)
                    ? Optional.of(Files.readString(file).strip()).filter(value -> !value.isEmpty())
                    : Optional.empty();
        } catch (IOException e) {
            throw new NoClusterConfigurationException("the pod's namespace can't be read from " + file + ": " + e, e);
        }
    }

    private static @Nullable Path homeOf(Map<String, String> environment) {
        String home = environment.getOrDefault("HOME", System.getProperty("user.home", ""));
        return home.isBlank() ? null : Path.of(home);
    }
}
