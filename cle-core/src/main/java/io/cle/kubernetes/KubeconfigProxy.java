package io.cle.kubernetes;

import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Optional;

import io.kubernetes.client.util.KubeConfig;

/**
 * The proxy of a kubeconfig's cluster ({@code proxy-url}). client-java doesn't read this field, and would send requests directly to an API
 * server that can only be reached through the proxy.
 */
final class KubeconfigProxy {

    private static final int HTTP_PORT = 80;
    private static final int SOCKS_PORT = 1080;

    private KubeconfigProxy() {}

    /**
     * Returns the proxy of the cluster of the current context; empty if the file names none.
     *
     * @param source the file, for messages
     * @throws NoClusterConfigurationException if it isn't the address of a proxy, or of a kind that OkHttp doesn't support
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

    /** Returns the unresolved address, because a proxy's IP address may change while this process runs. */
    private static InetSocketAddress address(URI uri, int defaultPort) {
        return InetSocketAddress.createUnresolved(uri.getHost(), uri.getPort() < 0 ? defaultPort : uri.getPort());
    }

    /** Hides everything before the last {@code @}, which may be a password, even if the URL can't be parsed. */
    private static NoClusterConfigurationException refused(String url, String source) {
        return new NoClusterConfigurationException(
                "the kubeconfig " + source + ", names the proxy-url '" + url.replaceFirst("(?s)^(\\w+://)?.*@", "$1…@")
                        + "' for its cluster, which can't be used; name one like http://proxy:3128 or socks5://proxy:1080, without"
                        + " a user",
                null);
    }
}
