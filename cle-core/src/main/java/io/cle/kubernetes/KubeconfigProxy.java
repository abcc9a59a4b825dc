package io.cle.kubernetes;

import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Optional;

import io.kubernetes.client.util.KubeConfig;

/**
 * The proxy through which a kubeconfig's cluster is reached ({@code proxy-url}). client-java doesn't read it, and would send requests directly
 * to an API server that only the proxy reaches.
 */
final class KubeconfigProxy {

    private static final int HTTP_PORT = 80;
    private static final int SOCKS_PORT = 1080;

    private KubeconfigProxy() {}

    /**
     * The proxy of the cluster of the current context; empty if the file names none.
     *
     * @param source the file, for messages
     * @throws NoClusterConfigurationException if it is no address of a proxy, or of a kind that OkHttp doesn't have
     */
    static Optional<Proxy> of(KubeConfig config, String source) {
        Object url = KubeconfigLogin.cluster(config).get("proxy-url");
        return url == null || url.toString().isBlank() ? Optional.empty() : Optional.of(proxy(url.toString(), source));
    }

    private static Proxy proxy(String url, String source) {
        URI uri;
        try {
            uri = new URI(url);
        } catch (URISyntaxException e) {
            throw refused(url, source);
        }
        if (uri.getHost() == null || uri.getUserInfo() != null || uri.getScheme() == null) {
            throw refused(url, source);
        }
        return switch (uri.getScheme().toLowerCase(Locale.ROOT)) {
            case "http" -> new Proxy(Proxy.Type.HTTP, address(uri, HTTP_PORT));
            case "socks5" -> new Proxy(Proxy.Type.SOCKS, address(uri, SOCKS_PORT));
            default -> throw refused(url, source);
        };
    }

    /** Unresolved, because a proxy's address may change while this process runs. */
    private static InetSocketAddress address(URI uri, int defaultPort) {
        return InetSocketAddress.createUnresolved(uri.getHost(), uri.getPort() < 0 ? defaultPort : uri.getPort());
    }

    /** What is before the last {@code @} may be a password, also in a URL that can't be parsed. */
    private static NoClusterConfigurationException refused(String url, String source) {
        return new NoClusterConfigurationException(
                "the kubeconfig " + source + ", names the proxy-url '" + url.replaceFirst("(?s)^(\\w+://)?.*@", "$1…@")
                        + "' for its cluster, which can't be used; name one like http://proxy:3128 or socks5://proxy:1080, without"
                        + " a user",
                null);
    }
}
