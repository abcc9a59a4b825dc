package io.cle.kubernetes;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

import javax.net.ssl.X509TrustManager;

import io.cle.kubernetes.internal.login.ApiClientLogin;
import io.cle.kubernetes.internal.login.Credential;
import io.cle.kubernetes.internal.login.CredentialFiles;
import io.cle.kubernetes.internal.login.CredentialFiles.Text;
import io.cle.kubernetes.internal.login.HttpClients;
import io.cle.kubernetes.internal.login.Login;
import io.cle.kubernetes.internal.login.Renewed;
import io.cle.loop.internal.Clock;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.util.KubeConfig;
import okhttp3.Headers;
import okhttp3.HttpUrl;
import okhttp3.Interceptor;
import okhttp3.OkHttpClient;
import org.jspecify.annotations.Nullable;

/**
 * Access to a cluster: its address and credentials. They come from an explicit address, else the files that {@code KUBECONFIG} names, else
 * {@code ~/.kube/config}, else the service account of the pod, which is client-java's usual order. Unlike client-java, it has no default
 * address if all of these are missing, and treats a named file that can't be used as an error. As in kubectl, several files are merged and
 * other users are impersonated ({@code as}). Reads files, so don't call it on an event loop.
 *
 * <p>Credentials are renewed while a client is used: files with tokens, certificates and authorities are read again every minute and when
 * the API server has refused them, and an exec plugin is run again before its credential expires. The kubeconfig itself is read once.
 */
public final class KubernetesAccess {

    private static final Path SERVICE_ACCOUNT = Path.of("/var/run/secrets/kubernetes.io/serviceaccount");

    private final String address;
    private final OkHttpClient httpClient;
    private final String source;
    private final Optional<String> namespace;

    /** {@code null} until it is asked for, as {@link #apiClient()} says. */
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
                : ofFiles(List.of(kubeconfig), "the caller", SERVICE_ACCOUNT, context);
    }

    /**
     * Returns the cluster of an API client that the application has created. The client is not modified.
     *
     * @throws NoClusterConfigurationException if its base path isn't the address of an API server
     */
    public static KubernetesAccess of(ApiClient client) {
        if (HttpUrl.parse(client.getBasePath()) == null) {
            throw new NoClusterConfigurationException(
                    "the base path '" + client.getBasePath()
                            + "' of the application's ApiClient isn't the address of an API server, like https://10.0.0.1:6443",
                    null);
        }
        KubernetesAccess access = new KubernetesAccess(
                client.getBasePath(),
                ApiClientLogin.client(client),
                "the application's ApiClient",
                namespaceOfPod(SERVICE_ACCOUNT));
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
        return new KubernetesAccess(baseUrl, HttpClients.of(baseUrl).build(), baseUrl, namespaceOfPod(SERVICE_ACCOUNT));
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
        List<Path> named = filesOf(surroundings.environment().getOrDefault("KUBECONFIG", ""));
        if (!named.isEmpty()) {
            return ofFiles(named, "KUBECONFIG", surroundings.serviceAccount(), context);
        }
        Path home = surroundings.home();
        Path file = home == null ? null : home.resolve(".kube").resolve("config");
        if (file != null && Files.exists(file)) {
            return ofFiles(List.of(file), "the home directory", surroundings.serviceAccount(), context);
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

    private static KubernetesAccess ofFiles(
            List<Path> named, String foundBy, Path serviceAccount, @Nullable String context) {
        KubeconfigFiles files = KubeconfigFiles.read(named, foundBy, context);
        String source = files.source();
        KubeConfig config = files.merged();
        try {
            KubeconfigLogin login = new KubeconfigLogin(files, Clock.system());
            OkHttpClient.Builder http = client(login, files).newBuilder();
            KubeconfigProxy.of(config, source).ifPresent(http::proxy);
            Headers impersonation = KubeconfigImpersonation.of(config, source);
            if (impersonation.size() > 0) {
                http.addInterceptor(chain -> chain.proceed(chain.request()
                        .newBuilder()
                        .headers(chain.request()
                                .headers()
                                .newBuilder()
                                .addAll(impersonation)
                                .build())
                        .build()));
            }
            Optional<String> ofContext =
                    Optional.ofNullable(config.getNamespace()).filter(value -> !value.isBlank());
            String user = impersonation.get("Impersonate-User");
            return new KubernetesAccess(
                    login.address(),
                    http.build(),
                    user == null ? source : source + ", as '" + user + "'",
                    namespaceOfPod(serviceAccount).or(() -> ofContext));
        } catch (NoClusterConfigurationException e) {
            throw e;
        } catch (IOException e) {
            throw new NoClusterConfigurationException(
                    "the kubeconfig " + source + ", can't be used: " + e.getMessage(), e);
        } catch (RuntimeException e) {
            throw new NoClusterConfigurationException("the kubeconfig " + source + ", can't be used: " + e, e);
        }
    }

    /** Creates the client. Replaces exceptions of client-java that don't mention the file. */
    private static OkHttpClient client(KubeconfigLogin login, KubeconfigFiles files) throws IOException {
        try {
            return login.client();
        } catch (ClassCastException | NullPointerException e) {
            throw new NoClusterConfigurationException(
                    "the kubeconfig " + files.source()
                            + ", can't be used: in the cluster or the user of its context '"
                            + files.merged().getCurrentContext()
                            + "' a value is missing or isn't of its type, such as the expiry of an auth-provider 'gcp' or the"
                            + " command of an exec; complete it, or log in by a token or a client certificate",
                    e);
        }
    }

    /** Returns the access of the pod's service account. Unlike with client-java, its files are read again. */
    private static KubernetesAccess ofServiceAccount(Surroundings surroundings) {
        Path account = surroundings.serviceAccount();
        String host = surroundings.environment().get("KUBERNETES_SERVICE_HOST");
        String port = surroundings.environment().getOrDefault("KUBERNETES_SERVICE_PORT", "443");
        try {
            URI address = new URI("https", null, host, Integer.parseInt(port), null, null, null);
            Renewed<X509TrustManager> authorities = CredentialFiles.authorities(
                    "the service account's certificate authorities",
                    Text.of(account.resolve("ca.crt")),
                    Clock.system());
            Renewed<Credential> token = CredentialFiles.credential(
                    "the service account's token", Text.of(account.resolve("token")), null, null, Clock.system());
            OkHttpClient client = Login.client(HttpClients.of(address.toString()), token, authorities);
            return new KubernetesAccess(
                    address.toString(), client, "the pod's service account", namespaceOfPod(account));
        } catch (IOException e) {
            throw new NoClusterConfigurationException("the pod's service account can't be used: " + e.getMessage(), e);
        } catch (URISyntaxException | RuntimeException e) {
            throw new NoClusterConfigurationException("the pod's service account can't be used: " + e, e);
        }
    }

    /**
     * Returns the files that a variable names. As in kubectl, empty names are ignored: the variable begins with one if a shell appends a
     * file to an unset variable.
     */
    private static List<Path> filesOf(String variable) {
        try {
            return Stream.of(variable.split(File.pathSeparator))
                    .filter(path -> !path.isBlank())
                    .map(Path::of)
                    .toList();
        } catch (InvalidPathException e) {
            throw new NoClusterConfigurationException("KUBECONFIG names no file: " + e.getMessage(), e);
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
